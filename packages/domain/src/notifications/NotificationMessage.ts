import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { EndpointId, NotificationType } from "./NotificationEndpoint.ts"

/** Id of a message. */
export const MessageId = Schema.String.check(Schema.isGUID({ expected: "a UUID" }), Schema.isMaxLength(36))

/** State of a message. */
export const MessageState = Schema.Literals(["pending", "delivered", "failed"]).annotate({
  identifier: "NotificationMessageState",
  description:
    "pending: attempts follow. delivered: answered with 2xx. failed: no attempts follow until it is redelivered",
})
export type MessageState = typeof MessageState.Type

/** Why an attempt got no answer. */
export const AttemptError = Schema.Literals(["timeout", "dns", "refused_address", "connection", "tls"]).annotate({
  identifier: "NotificationAttemptError",
  description:
    "timeout: no answer within 15 seconds. dns: the host name does not resolve. refused_address: it resolves to an address that is not public. connection: refused or broken. tls: the certificate or handshake is invalid",
})
export type AttemptError = typeof AttemptError.Type

const status = (of: string) =>
  field(Schema.NullOr(Schema.Int), `HTTP status that ${of} was answered with; null without an answer`)
const error = (of: string) => field(Schema.NullOr(AttemptError), `Why ${of} got no answer; null with one`)

const messageFields = {
  id: field(MessageId, "Id of the message, sent as webhook-id with every attempt"),
  endpointId: field(EndpointId, "Id of its endpoint"),
  type: field(
    Schema.Union([NotificationType, Schema.Literals(["reset", "test"])]),
    "Type of the event. reset: events are missing. test: sent on request",
  ),
  state: MessageState,
  attempts: field(Schema.Int, "Attempts since it was created or redelivered"),
  nextAttemptAt: field(Schema.NullOr(Timestamp), "When the next attempt is due; null unless pending"),
  lastStatus: status("the last attempt"),
  lastError: error("the last attempt"),
  createdAt: field(Timestamp, "When it was created"),
  settledAt: field(Schema.NullOr(Timestamp), "When it was delivered or failed; null while pending"),
}

/** A message to an endpoint. */
export const NotificationMessage = Schema.Struct(messageFields).annotate({
  identifier: "NotificationMessage",
  description: "An event for one endpoint",
})
export type NotificationMessage = typeof NotificationMessage.Type

/** An attempt to deliver a message. */
export const NotificationAttempt = Schema.Struct({
  at: field(Timestamp, "When it was made"),
  status: status("it"),
  error: error("it"),
  durationMillis: field(Schema.Int, "Duration in milliseconds"),
}).annotate({ identifier: "NotificationAttempt", description: "An attempt to deliver a message" })
export type NotificationAttempt = typeof NotificationAttempt.Type

/** A message with its body and attempts. */
export const NotificationMessageRecord = Schema.Struct({
  ...messageFields,
  body: field(Schema.String, "Body of the request as it is sent: JSON with type, timestamp and data"),
  history: field(Schema.Array(NotificationAttempt), "The last 50 attempts, newest first"),
}).annotate({ identifier: "NotificationMessageRecord", description: "A message with its body and attempts" })
export type NotificationMessageRecord = typeof NotificationMessageRecord.Type

/** The answer to a redelivery of all failed messages. */
export const Redelivered = Schema.Struct({
  redelivered: field(Schema.Int, "Messages that are pending again"),
  more: field(Schema.Boolean, "true: there are more; repeat the request once these are delivered"),
}).annotate({ identifier: "RedeliveredNotifications", description: "How many failed messages are sent again" })
