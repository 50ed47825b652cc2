import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { declaring, describe } from "../http/Describe.ts"
import { field } from "../http/Field.ts"
import { withHeaders } from "../http/OpenApiOperation.ts"
import { Market } from "../pools/Market.ts"
import { Submission } from "../submissions/Submission.ts"
import { Address, addressList } from "../solana/Address.ts"
import { signatureList } from "../solana/Signature.ts"
import { CHANGE_TYPES, CreatorChanged, LiquidityMoved, PoolGraduated, TransactionReverted } from "./ChainChange.ts"
import { ShownLaunch, ShownPool, ShownTrade } from "./ShownChange.ts"

const MINTS_MAX = 50
const SUBMISSIONS_MAX = 20
/** Allows every type twice. */
const TYPES_LENGTH_MAX = 150

/** Position in the stream: a commit, or one change within a commit. */
export const ChangeId = Schema.String.check(
  Schema.isPattern(/^\d{1,15}(-\d{1,9})?$/, { message: "expected the id of an event of this stream" }),
  Schema.isMaxLength(25),
).annotate({ identifier: "ChangeId", description: "Id of an event of this stream; increases with every commit" })

/** The stream could not be resumed at the requested id: clients must reload their state. */
export const StreamReset = Schema.Struct({
  reason: field(
    Schema.Literals(["older_than_kept", "unknown_id"]),
    "older_than_kept: the events after the id are no longer stored. unknown_id: no event has this id",
  ),
}).annotate({
  identifier: "StreamReset",
  description: "The stream could not be resumed after the id: events are missing, and it continues from now",
})
export type StreamReset = typeof StreamReset.Type

/** Figures of the market of a token, as lists have them. */
export const MarketChanged = Schema.Struct({ mintAddress: Address, market: Market }).annotate({
  identifier: "MarketChanged",
  description: "Market of a token",
})
export type MarketChanged = typeof MarketChanged.Encoded

/**
 * What `types` may name: submissions and markets are sent where `submissions` and `markets` name them, and `submission` or `market` alone leaves
 * out all others.
 */
const STREAM_TYPES: ReadonlyArray<string> = [...CHANGE_TYPES, "submission", "market"]

const types = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      text.split(",").every((type) => STREAM_TYPES.includes(type)) ||
      `expected comma-separated types of ${STREAM_TYPES.join(", ")}`,
  ),
  Schema.isMaxLength(TYPES_LENGTH_MAX),
).annotate({
  description: `Only events of these types, comma-separated: ${STREAM_TYPES.join(", ")}. All by default`,
})

const mints = addressList(MINTS_MAX).annotate({
  description: `Only events of these mints: comma-separated addresses, at most ${MINTS_MAX}. Events of type revert are always sent`,
})

const markets = addressList(MINTS_MAX).annotate({
  description: `Also the markets of these tokens: comma-separated addresses, at most ${MINTS_MAX}. Each stream begins with their current states`,
})

const submissions = signatureList(SUBMISSIONS_MAX).annotate({
  description: `Also the states of these submitted transactions, whatever the types and mints: comma-separated signatures, at most ${SUBMISSIONS_MAX}, also before they are submitted. Each stream begins with their current states`,
})

const eventOf = <Name extends string, A, I>(event: Name, data: Schema.Codec<A, I>, identifier: string) =>
  Schema.Struct({
    id: field(ChangeId, "Id to resume after, as Last-Event-ID"),
    event: field(Schema.Literal(event), "Type of the event"),
    data: field(Schema.fromJsonString(data), "The event as JSON"),
  }).annotate({ identifier })

/** An event of the stream. On the wire, `data` is JSON on one line. */
const StreamEvent = Schema.Union([
  eventOf("token", ShownLaunch, "TokenLaunchedEvent"),
  eventOf("trade", ShownTrade, "TradeSeenEvent"),
  eventOf("pool", ShownPool, "PoolUpdatedEvent"),
  eventOf("graduation", PoolGraduated, "PoolGraduatedEvent"),
  eventOf("creator", CreatorChanged, "CreatorChangedEvent"),
  eventOf("liquidity", LiquidityMoved, "LiquidityMovedEvent"),
  eventOf("revert", TransactionReverted, "TransactionRevertedEvent"),
  eventOf("reset", StreamReset, "StreamResetEvent"),
  Schema.Struct({
    event: field(Schema.Literal("submission"), "Type of the event; it has no id"),
    data: field(Schema.fromJsonString(Submission), "The event as JSON"),
  }).annotate({ identifier: "SubmissionEvent" }),
  Schema.Struct({
    event: field(Schema.Literal("market"), "Type of the event; it has no id"),
    data: Schema.fromJsonString(MarketChanged),
  }).annotate({ identifier: "MarketEvent" }),
]).annotate({ identifier: "StreamEvent" })

/** `/api/stream`. */
export class StreamApi extends HttpApiGroup.make("stream")
  .add(
    HttpApiEndpoint.get("changes", "/api/stream", {
      query: {
        types: Schema.optionalKey(types),
        mintAddresses: Schema.optionalKey(mints),
        submissions: Schema.optionalKey(submissions),
        markets: Schema.optionalKey(markets),
        lastEventId: Schema.optionalKey(
          field(
            ChangeId,
            "Same as the Last-Event-ID header, for clients that cannot send it; the header takes precedence",
          ),
        ),
      },
      headers: {
        "last-event-id": Schema.optionalKey(
          field(ChangeId, "Id of the last received event: the stream resumes after it. Browsers send it automatically"),
        ),
      },
      success: HttpApiSchema.StreamSse({ events: StreamEvent }),
    })
      .annotateMerge(declaring(withHeaders([200], { "cache-control": "no-cache, no-transform" })))
      .annotateMerge(
        describe(
          "Follow the chain",
          "Server-sent events of what the indexer commits, from now on or after `Last-Event-ID`, each once and in order. If that id is no longer stored or unknown, the first event is `reset` and the stream continues from now. With `submissions`, events of type `submission` tell the states of submitted transactions. A heartbeat comment with an `id` is sent every 15 seconds. A reader that falls too far behind is disconnected and can resume. To watch it: `curl -N` with its URL.",
        ),
      ),
  )
  .annotateMerge(
    OpenApi.annotations({
      title: "Stream",
      description:
        "Server-sent events: launches, trades, graduations, changes of liquidity and rollbacks as they are indexed",
    }),
  ) {}
