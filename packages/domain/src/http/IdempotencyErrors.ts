import { Schema } from "effect"
import { respondWith } from "./ErrorEnvelope.ts"

/** The key stands for another request. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {}) {
  static readonly response = respondWith(IdempotencyKeyReused, {
    status: 422,
    code: "idempotency_key_reused",
    message: () => "This Idempotency-Key was sent with another request; send a new key with a new request",
  })
}

/** The request with this key is still under way. */
export class RequestInFlight extends Schema.TaggedError<RequestInFlight>()("RequestInFlight", {}) {
  static readonly response = respondWith(RequestInFlight, {
    status: 409,
    code: "request_in_flight",
    message: () => "The request with this Idempotency-Key is still under way; send it again in a moment",
  })
}
