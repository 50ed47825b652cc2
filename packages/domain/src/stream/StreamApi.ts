import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { declaring, describe } from "../http/Describe.ts"
import { field } from "../http/Field.ts"
import { withHeaders } from "../http/OpenApiOperation.ts"
import { addressList } from "../solana/Address.ts"
import {
  CHANGE_TYPES,
  CreatorChanged,
  PoolGraduated,
  PoolUpdated,
  TokenLaunched,
  TradeSeen,
  TransactionReverted,
} from "./ChainChange.ts"
import { TooManyStreams, TooManySubscribers } from "./StreamErrors.ts"

const MINTS_MAX = 50
/** All of them, and again. */
const TYPES_LENGTH_MAX = 100

/** Where a stream stands: everything of a commit, or of a commit everything up to one change. */
export const ChangeId = Schema.String.check(
  Schema.isPattern(/^\d{1,15}(-\d{1,9})?$/, { message: "expected the id of an event of this stream" }),
  Schema.isMaxLength(25),
).annotate({ identifier: "ChangeId", description: "Id of an event of this stream, which grows with every commit" })

/** The stream could not be continued where it was asked to be: what is kept has to be read again. */
export const StreamReset = Schema.Struct({
  reason: field(
    Schema.Literals(["older_than_kept", "unknown_id"]),
    "older_than_kept: what followed the id is no longer stored. unknown_id: no event had this id",
  ),
}).annotate({
  identifier: "StreamReset",
  description: "The stream could not be continued after the id: events are missing, and it goes on from now",
})
export type StreamReset = typeof StreamReset.Type

const types = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      text.split(",").every((type) => (CHANGE_TYPES as ReadonlyArray<string>).includes(type)) ||
      `expected comma-separated types of ${CHANGE_TYPES.join(", ")}`,
  ),
  Schema.isMaxLength(TYPES_LENGTH_MAX),
).annotate({
  description: `Only events of these types, with commas between them: ${CHANGE_TYPES.join(", ")}. All when left out`,
})

const mints = addressList(MINTS_MAX).annotate({
  description: `Only events of these mints: addresses with commas between them, at most ${MINTS_MAX}. Events of type revert come in any case`,
})

const eventOf = <Name extends string, A, I>(event: Name, data: Schema.Codec<A, I>, identifier: string) =>
  Schema.Struct({
    id: field(ChangeId, "Id to continue after, as Last-Event-ID"),
    event: field(Schema.Literal(event), "Type of the event"),
    data: field(Schema.fromJsonString(data), "The event as JSON"),
  }).annotate({ identifier })

/** One event of the stream. On the wire its `data` is JSON in one line. */
const StreamEvent = Schema.Union([
  eventOf("token", TokenLaunched, "TokenLaunchedEvent"),
  eventOf("trade", TradeSeen, "TradeSeenEvent"),
  eventOf("pool", PoolUpdated, "PoolUpdatedEvent"),
  eventOf("graduation", PoolGraduated, "PoolGraduatedEvent"),
  eventOf("creator", CreatorChanged, "CreatorChangedEvent"),
  eventOf("revert", TransactionReverted, "TransactionRevertedEvent"),
  eventOf("reset", StreamReset, "StreamResetEvent"),
]).annotate({ identifier: "StreamEvent" })

/** `/api/stream`. */
export class StreamApi extends HttpApiGroup.make("stream")
  .add(
    HttpApiEndpoint.get("changes", "/api/stream", {
      query: {
        types: Schema.optionalKey(types),
        mint: Schema.optionalKey(mints),
        lastEventId: Schema.optionalKey(
          field(ChangeId, "The same as the Last-Event-ID header, for clients that cannot send it; the header wins"),
        ),
      },
      headers: {
        "last-event-id": Schema.optionalKey(
          field(
            ChangeId,
            "Id of the last event received: the stream continues after it. Browsers send it by themselves",
          ),
        ),
      },
      success: HttpApiSchema.StreamSse({ events: StreamEvent }),
      error: [TooManySubscribers.response, TooManyStreams.response],
    })
      .annotateMerge(declaring(withHeaders([200], { "cache-control": "no-cache, no-transform" })))
      .annotateMerge(
        describe(
          "Follow the chain",
          "Server-sent events of what the indexer commits, from now on or after `Last-Event-ID`, each once and in order. When that id is no longer stored, or is not known, the first event is `reset` and the stream goes on from now. A comment comes every 15 seconds with an `id`, so that a stream without events can be continued too. A reader that falls too far behind is disconnected and can continue.",
        ),
      ),
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Stream",
      description: "Server-sent events: launches, trades, graduations and rollbacks as they are indexed",
    }),
  ) {}
