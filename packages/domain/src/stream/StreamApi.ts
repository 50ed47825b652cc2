import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { describe } from "../http/Describe.ts"
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
).annotate({ identifier: "ChangeId", description: "Id of an event of this stream" })

/** The stream could not be continued where it was asked to be: what is kept has to be read again. */
export const StreamReset = Schema.Struct({
  reason: Schema.Literals(["older_than_kept", "unknown_id"]),
}).annotate({ identifier: "StreamReset" })
export type StreamReset = typeof StreamReset.Type

const types = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      text.split(",").every((type) => (CHANGE_TYPES as ReadonlyArray<string>).includes(type)) ||
      `expected comma-separated types of ${CHANGE_TYPES.join(", ")}`,
  ),
  Schema.isMaxLength(TYPES_LENGTH_MAX),
).annotate({ description: `Comma-separated, of ${CHANGE_TYPES.join(", ")}; all when left out` })

const mints = addressList(MINTS_MAX).annotate({
  description: `Comma-separated mints, at most ${MINTS_MAX}: only what happened to them. Reverts name no mint and come all the same`,
})

const eventOf = <Name extends string, A, I>(event: Name, data: Schema.Codec<A, I>) =>
  Schema.Struct({ id: Schema.String, event: Schema.Literal(event), data: Schema.fromJsonString(data) })

const StreamEvent = Schema.Union([
  eventOf("token", TokenLaunched),
  eventOf("trade", TradeSeen),
  eventOf("pool", PoolUpdated),
  eventOf("graduation", PoolGraduated),
  eventOf("creator", CreatorChanged),
  eventOf("revert", TransactionReverted),
  eventOf("reset", StreamReset),
])

/** `/api/stream`. */
export class StreamApi extends HttpApiGroup.make("stream")
  .add(
    HttpApiEndpoint.get("changes", "/api/stream", {
      query: {
        types: Schema.optionalKey(types),
        mint: Schema.optionalKey(mints),
        lastEventId: Schema.optionalKey(ChangeId).annotateKey({
          description: "For clients that cannot send the Last-Event-ID header, which goes first",
        }),
      },
      headers: { "last-event-id": Schema.optionalKey(ChangeId) },
      success: HttpApiSchema.StreamSse({ events: StreamEvent }),
      error: [TooManySubscribers.response, TooManyStreams.response],
    }).annotateMerge(
      describe(
        "Follow the chain",
        "Server-sent events of what the indexer commits, from now on or from where Last-Event-ID left off, each once and in order. When that is no longer kept, or not known, the first event is `reset` and the stream goes on from now. A comment comes every 15 s; it carries an `id`, so that a stream without events can be continued as well. A reader who falls too far behind is disconnected and can continue.",
      ),
    ),
  )
  .annotateMerge(OpenApi.annotations({ title: "Stream", description: "What happens on chain, as it happens" })) {}
