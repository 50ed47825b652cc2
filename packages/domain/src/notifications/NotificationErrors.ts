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

/** The caller, or the service, has as many endpoints as it may have. */
export class TooManyEndpoints extends Schema.TaggedError<TooManyEndpoints>()("TooManyEndpoints", {
  limit: field(Schema.Int, "Maximum number of endpoints"),
  scope: field(Schema.Literals(["owner", "service"]), "Whose limit it is"),
}) {
  static readonly response = respondWith(TooManyEndpoints, {
    status: 409,
    code: "too_many_endpoints",
    message: ({ limit, scope }) =>
      scope === "owner"
        ? `You have ${limit} endpoints already; delete one first`
        : `This service has ${limit} endpoints already; ask its operator`,
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

/** Too many messages of the endpoint are pending. */
export class EndpointBacklogFull extends Schema.TaggedError<EndpointBacklogFull>()("EndpointBacklogFull", {
  limit: field(Schema.Int, "Maximum number of pending messages of an endpoint"),
}) {
  static readonly response = respondWith(EndpointBacklogFull, {
    status: 429,
    code: "endpoint_backlog_full",
    message: ({ limit }) => `${limit} messages of this endpoint are pending; retry once they are delivered`,
    retryAfterSeconds: () => 60,
  })
}
