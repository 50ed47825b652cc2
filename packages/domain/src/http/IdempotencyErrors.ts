import { Schema } from "effect"
import { respondWith } from "./ErrorEnvelope.ts"

/** The key was already used for another request. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()("IdempotencyKeyReused", {}) {
  static readonly response = respondWith(IdempotencyKeyReused, {
    status: 422,
    code: "idempotency_key_reused",
    message: () => "This Idempotency-Key was used for another request; use a new key for a new request",
  })
}

/** The request with this key is still in flight. */
export class RequestInFlight extends Schema.TaggedError<RequestInFlight>()("RequestInFlight", {}) {
  static readonly response = respondWith(RequestInFlight, {
    status: 409,
    code: "request_in_flight",
    message: () => "The request with this Idempotency-Key is still in flight; retry in a moment",
  })
}
