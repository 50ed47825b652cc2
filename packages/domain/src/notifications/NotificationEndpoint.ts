import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { CHANGE_TYPES } from "../stream/ChainChange.ts"
import { label } from "../text/PlainText.ts"
import { Timestamp } from "../time/Timestamp.ts"

const URL_LENGTH_MAX = 2048
const MINTS_MAX = 100
const DESCRIPTION_LENGTH_MAX = 256

/** Types that an endpoint chooses from: those of the event stream, and outcomes of bridge swaps. */
const CHOSEN_TYPES = [...CHANGE_TYPES, "bridge"] as const

/** Type of an event that endpoints choose. */
export const NotificationType = Schema.Literals(CHOSEN_TYPES).annotate({
  identifier: "NotificationType",
  description: "Type of an event: those of GET /api/stream, and bridge for the outcome of a cross-chain swap",
})
export type NotificationType = typeof NotificationType.Type

/** Id of an endpoint. */
export const EndpointId = Schema.String.check(Schema.isGUID({ expected: "a UUID" }), Schema.isMaxLength(36))

const url = field(
  Schema.String.check(Schema.isBetweenLength(1, URL_LENGTH_MAX)),
  "Public https URL that events are posted to, without credentials and fragment, on port 443 or from 1024",
)
const types = field(
  Schema.Array(NotificationType).check(Schema.isMinLength(1), Schema.isMaxLength(CHOSEN_TYPES.length)),
  "Types of events to send. `reset` and `test` are always sent",
)
const mints = field(
  Schema.Array(Address).check(Schema.isMaxLength(MINTS_MAX)),
  `Only events of these mints; empty: of all. Events of type revert and bridge are sent for all. At most ${MINTS_MAX}`,
)
const description = field(
  label({ minLength: 0, maxLength: DESCRIPTION_LENGTH_MAX }),
  "What the endpoint is for; empty by default",
)

/** Body of `POST /api/notifications/endpoints`. */
export const EndpointDraft = Schema.Struct({
  url,
  types,
  mintAddresses: Schema.optionalKey(mints),
  description: Schema.optionalKey(description),
}).annotate({ identifier: "NotificationEndpointDraft", description: "An endpoint to send events to" })
export type EndpointDraft = typeof EndpointDraft.Type

/** Body of `PATCH /api/notifications/endpoints/:id`. */
export const EndpointChange = Schema.Struct({
  url: Schema.optionalKey(url),
  types: Schema.optionalKey(types),
  mintAddresses: Schema.optionalKey(mints),
  description: Schema.optionalKey(description),
  enabled: Schema.optionalKey(
    field(
      Schema.Boolean,
      "false: no more events are sent, and pending messages fail. true: events from now on are sent again",
    ),
  ),
}).annotate({
  identifier: "NotificationEndpointChange",
  description: "Fields to change; absent fields keep their values",
})
export type EndpointChange = typeof EndpointChange.Type

/** An endpoint of a caller. */
export const NotificationEndpoint = Schema.Struct({
  id: field(EndpointId, "Id of the endpoint, a UUID"),
  owner: field(
    Schema.String,
    "Whose it is: `key:` and the id of the first of an API key and those it was rotated to, `wallet:` and an address, or `admin`",
  ),
  url: field(Schema.String, "URL that events are posted to"),
  description: field(Schema.String, "What the endpoint is for"),
  types: field(Schema.Array(NotificationType), "Types of events that are sent"),
  mintAddresses: field(Schema.Array(Address), "Only events of these mints are sent; empty: of all"),
  state: field(Schema.Literals(["enabled", "disabled"]), "disabled: no events are sent"),
  disabledReason: field(
    Schema.NullOr(Schema.Literals(["by_owner", "gone", "failing"])),
    "by_owner: its owner disabled it. gone: it answered 410. failing: every attempt failed for five days. null while enabled",
  ),
  failingSince: field(Schema.NullOr(Timestamp), "When attempts began to fail without a success since; null otherwise"),
  skippedMessages: field(
    Schema.String,
    "Events that were not sent because too many messages were pending, a decimal string",
  ),
  lastSkippedAt: field(Schema.NullOr(Timestamp), "When an event was last skipped; null if none was"),
  createdAt: field(Timestamp, "When it was created"),
  updatedAt: field(Timestamp, "When it last changed"),
}).annotate({ identifier: "NotificationEndpoint", description: "An endpoint that events are sent to" })
export type NotificationEndpoint = typeof NotificationEndpoint.Type

const secret = Schema.optionalKey(
  field(
    Schema.String,
    "Secret that messages are signed with: `whsec_` and base64 of 32 bytes. Answered once: absent from a replay, after which `rotate-secret` gives another one",
  ),
)

/** The answer to a creation. */
export const CreatedEndpoint = Schema.Struct({ ...NotificationEndpoint.fields, secret }).annotate({
  identifier: "CreatedNotificationEndpoint",
  description: "An endpoint with its signing secret",
})
export type CreatedEndpoint = typeof CreatedEndpoint.Type

/** The answer to a rotation. */
export const RotatedSecret = Schema.Struct({
  secret,
  previousSecretUntil: field(Timestamp, "Until when messages are signed with the previous secret as well"),
}).annotate({ identifier: "RotatedNotificationSecret", description: "A new signing secret" })
export type RotatedSecret = typeof RotatedSecret.Type
