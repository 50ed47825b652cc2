import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"

/** The `Authorization` header of a delivery is not the configured secret. */
export class WebhookNotAuthentic extends Schema.TaggedError<WebhookNotAuthentic>()("WebhookNotAuthentic", {}) {
  static readonly response = respondWith(WebhookNotAuthentic, {
    status: 401,
    code: "webhook_not_authentic",
    message: () => "The Authorization header is not the one that was agreed on",
  })
}
