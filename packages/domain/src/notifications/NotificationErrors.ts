import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"

/** Notifications are switched off. */
export class NotificationsNotConfigured extends Schema.TaggedError<NotificationsNotConfigured>()(
  "NotificationsNotConfigured",
  { reason: field(Schema.String, "Setting that is missing") },
) {
  static readonly response = respondWith(NotificationsNotConfigured, {
    status: 503,
    code: "notifications_not_configured",
    message: ({ reason }) => `Notifications are not configured: ${reason}`,
    retryAfterSeconds: "never",
  })
}

/** Nothing is sent to a disabled endpoint. */
export class EndpointDisabled extends Schema.TaggedError<EndpointDisabled>()("EndpointDisabled", {
  endpoint: field(Schema.String, "Id of the endpoint"),
}) {
  static readonly response = respondWith(EndpointDisabled, {
    status: 409,
    code: "endpoint_disabled",
    message: ({ endpoint }) => `The endpoint ${endpoint} is disabled; enable it first`,
  })
}
