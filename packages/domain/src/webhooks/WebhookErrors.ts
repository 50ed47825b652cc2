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

/** No secret is configured that deliveries could be authenticated with. */
export class WebhookNotConfigured extends Schema.TaggedError<WebhookNotConfigured>()("WebhookNotConfigured", {}) {
  static readonly response = respondWith(WebhookNotConfigured, {
    status: 503,
    code: "webhook_not_configured",
    message: () => "Deliveries are not taken here: HELIUS_WEBHOOK_SECRET is not set",
    retryAfterSeconds: "never",
  })
}

/** The inbox could not be written to, or not in time. */
export class InboxUnavailable extends Schema.TaggedError<InboxUnavailable>()("InboxUnavailable", {}) {
  static readonly response = respondWith(InboxUnavailable, {
    status: 503,
    code: "inbox_unavailable",
    message: () => "The inbox cannot be written to at the moment; send it again",
  })
}
