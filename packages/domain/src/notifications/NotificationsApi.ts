import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { RequiredAccess } from "../access/RequiredAccess.ts"
import { declaring, describe } from "../http/Describe.ts"
import { Data, DataList, Deleted } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders, secretHeaders } from "../http/IdempotencyKey.ts"
import { TooMany } from "../http/LimitErrors.ts"
import { NotFound } from "../http/NotFound.ts"
import { NOT_STORED, withHeaders } from "../http/OpenApiOperation.ts"
import { pageFields } from "../http/Paging.ts"
import { NotConfigured } from "../http/Unavailable.ts"
import { IsoTime } from "../time/Timestamp.ts"
import {
  CreatedEndpoint,
  EndpointChange,
  EndpointDraft,
  EndpointId,
  NotificationEndpoint,
  RotatedSecret,
} from "./NotificationEndpoint.ts"
import { EndpointDisabled } from "./NotificationErrors.ts"
import {
  MessageId,
  MessageState,
  NotificationMessage,
  NotificationMessageRecord,
  Redelivered,
} from "./NotificationMessage.ts"

const ofEndpoint = { id: field(EndpointId, "Id of the endpoint, a UUID") }
const ofMessage = { id: field(MessageId, "Id of the message, a UUID") }
const EndpointReference = Schema.Struct({ endpointId: ofEndpoint.id }).annotate({
  identifier: "NotificationEndpointReference",
  description: "Which endpoint",
})
const MessageReference = Schema.Struct({ messageId: ofMessage.id }).annotate({
  identifier: "NotificationMessageReference",
  description: "Which message",
})
const off = NotConfigured.response

/** Filter of a list of messages. */
export const MessageFilter = Schema.Struct({
  state: Schema.optionalKey(field(MessageState, "Only messages in this state")),
})
export type MessageFilter = typeof MessageFilter.Type

/** `/api/notifications`: webhooks that this service sends. */
export class NotificationsApi extends HttpApiGroup.make("notifications")
  .add(
    HttpApiEndpoint.post("create", "/endpoints", {
      headers: secretHeaders,
      payload: EndpointDraft,
      success: Data(CreatedEndpoint).pipe(HttpApiSchema.status(201)),
      error: [TooMany.response, off],
    })
      .middleware(IdempotencyGuard)
      .annotate(RequiredAccess, "own")
      .annotateMerge(
        describe(
          "Create an endpoint",
          "Events from now on are posted to its URL, signed as in Standard Webhooks. The answer has the signing secret, which is not answered again.",
        ),
      )
      .annotateMerge(declaring(withHeaders([201], { location: "Path of the endpoint", "cache-control": "no-store" }))),
    HttpApiEndpoint.get("list", "/endpoints", {
      query: pageFields,
      success: DataList(NotificationEndpoint),
      error: [off],
    })
      .annotate(RequiredAccess, "own")
      .annotateMerge(
        describe("List your endpoints", "Newest first, as a page; `limit` is 100 by default. Admins get those of all."),
      ),
    HttpApiEndpoint.get("get", "/endpoints/:id", {
      params: ofEndpoint,
      success: Data(NotificationEndpoint),
      error: [NotFound.response, off],
    })
      .annotate(RequiredAccess, "own")
      .annotateMerge(
        describe("Read an endpoint", "Its filters, whether it is enabled or failing, and how many events it missed."),
      ),
    HttpApiEndpoint.patch("update", "/endpoints/:id", {
      params: ofEndpoint,
      payload: EndpointChange,
      success: Data(NotificationEndpoint),
      error: [NotFound.response, TooMany.response, off],
    })
      .annotate(RequiredAccess, "own")
      .annotateMerge(
        describe(
          "Change an endpoint",
          "Changes URL, types, mints and description, and enables or disables it. Pending messages go to the new URL. Events while it is disabled are not sent later.",
        ),
      ),
    HttpApiEndpoint.delete("remove", "/endpoints/:id", {
      params: ofEndpoint,
      success: Data(Deleted),
      error: [NotFound.response, off],
    })
      .annotate(RequiredAccess, "own")
      .annotateMerge(describe("Delete an endpoint", "The endpoint and its messages are deleted.")),
    HttpApiEndpoint.post("rotateSecret", "/rotate-secret", {
      headers: secretHeaders,
      payload: EndpointReference,
      success: Data(RotatedSecret),
      error: [NotFound.response, off],
    })
      .middleware(IdempotencyGuard)
      .annotate(RequiredAccess, "own")
      .annotateMerge(
        describe(
          "Rotate the signing secret",
          "For 24 hours messages are signed with the previous secret as well: `webhook-signature` has a signature of each.",
        ),
      )
      .annotateMerge(declaring(NOT_STORED)),
    HttpApiEndpoint.post("test", "/test", {
      headers: idempotencyHeaders,
      payload: EndpointReference,
      success: Data(NotificationMessage),
      error: [NotFound.response, EndpointDisabled.response, off],
    })
      .middleware(IdempotencyGuard)
      .annotate(RequiredAccess, "own")
      .annotateMerge(
        describe("Send a test event", "Queues an event of type test; read the message to see how it was answered."),
      ),
    HttpApiEndpoint.get("messages", "/endpoints/:id/messages", {
      params: ofEndpoint,
      query: { ...MessageFilter.fields, ...pageFields },
      success: DataList(NotificationMessage),
      error: [NotFound.response, off],
    })
      .annotate(RequiredAccess, "own")
      .annotateMerge(
        describe("List the messages of an endpoint", "Newest first, as a page; `limit` is 100 by default."),
      ),
    HttpApiEndpoint.post("redeliverFailed", "/redeliver-failed", {
      headers: idempotencyHeaders,
      payload: Schema.Struct({
        endpointId: ofEndpoint.id,
        since: field(IsoTime, "Only messages created at this time or later: an ISO 8601 date or date-time"),
      }).annotate({ identifier: "NotificationRedelivery", description: "Which failed messages to send again" }),
      success: Data(Redelivered),
      error: [NotFound.response, EndpointDisabled.response, off],
    })
      .middleware(IdempotencyGuard)
      .annotate(RequiredAccess, "own")
      .annotateMerge(
        describe(
          "Redeliver failed messages",
          "Failed messages since a time are pending again, oldest first, at most 1,000 per request. Each keeps its id.",
        ),
      ),
    HttpApiEndpoint.get("message", "/messages/:id", {
      params: ofMessage,
      success: Data(NotificationMessageRecord),
      error: [NotFound.response, off],
    })
      .annotate(RequiredAccess, "own")
      .annotateMerge(describe("Read a message", "The message with its body and its last attempts.")),
    HttpApiEndpoint.post("redeliver", "/redeliver", {
      headers: idempotencyHeaders,
      payload: MessageReference,
      success: Data(NotificationMessage),
      error: [NotFound.response, EndpointDisabled.response, off],
    })
      .middleware(IdempotencyGuard)
      .annotate(RequiredAccess, "own")
      .annotateMerge(
        describe(
          "Redeliver a message",
          "The message is due now, whatever its state, with the same id and a new series of attempts.",
        ),
      ),
  )
  .prefix("/api/notifications")
  .annotateMerge(
    OpenApi.annotations({
      title: "Notifications",
      description: "Webhooks that this service sends: endpoints, messages, redelivery",
    }),
  ) {}
