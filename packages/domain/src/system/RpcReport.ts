import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { RpcCordon } from "./RpcCordons.ts"

/** Availability of an endpoint; `closed` is the closed circuit breaker: available. */
export const RpcEndpointState = Schema.Literals([
  ...(["closed", "open", "paused", "behind"] as const),
  ...(["forbidden", "wrong_cluster", "unverified", "resting"] as const),
]).annotate({
  identifier: "RpcEndpointState",
  description:
    "closed (circuit breaker) and resting: available. open: failing. paused: rate limited. behind: too many slots behind. forbidden: rejects the key. wrong_cluster: another network. unverified: not checked yet",
})

const Quantile = Schema.NullOr(Schema.Finite)

/** State of one RPC endpoint. Latencies are those of successful calls, in milliseconds. */
export const RpcEndpointReport = Schema.Struct({
  name: field(Schema.String, "Name of the endpoint; its URL is not shown"),
  state: RpcEndpointState,
  cordon: Schema.optionalKey(RpcCordon).annotate({
    description:
      "Operators have taken the endpoint out of use: it gets no calls while another one is not cordoned. Absent otherwise",
  }),
  slot: field(Schema.NullOr(Schema.String), "Latest confirmed slot seen, a decimal string; null before the first"),
  slotLag: field(Schema.NullOr(Schema.Int), "Slots behind the best endpoint; null before the first slot"),
  genesisHash: field(Schema.NullOr(Schema.String), "Genesis hash of its cluster, base58; null while unknown"),
  latencyMillis: field(
    Schema.Struct({
      p50: field(Quantile, "Median, in milliseconds; null without a call"),
      p95: field(Quantile, "95th percentile, in milliseconds; null without a call"),
      p99: field(Quantile, "99th percentile, in milliseconds; null without a call"),
    }),
    "Latencies of successful calls, as upper bounds from the histogram",
  ),
  latencyHistogram: field(
    Schema.Array(
      Schema.Struct({
        upToMillis: field(Quantile, "Upper bound in milliseconds; null for no bound"),
        count: field(Schema.Int, "Successful calls up to this bound"),
      }),
    ),
    "Successful calls by latency, cumulative",
  ),
  calls: field(Schema.Int, "Calls since the start"),
  probes: field(Schema.Int, "Health probes since the start"),
  errors: field(Schema.Record(Schema.String, Schema.Int), "Errors of calls and probes since the start, by class"),
  refusedMethods: field(
    Schema.Array(Schema.String),
    "RPC methods that the endpoint does not support, although it serves others",
  ),
  hedgesWon: field(Schema.Int, "Hedged calls in which this endpoint was first"),
  hedgesLost: field(Schema.Int, "Hedged calls in which another endpoint was first"),
  timesOutOfUse: field(Schema.Int, "How often the endpoint became unavailable"),
  lastFault: field(
    Schema.NullOr(
      Schema.Struct({
        fault: field(Schema.String, "What went wrong"),
        method: field(Schema.String, "RPC method of the call"),
        atMillis: field(Schema.Finite, "When, in milliseconds since 1970"),
      }),
    ),
    "Latest error; null without one",
  ),
}).annotate({ identifier: "RpcEndpointReport", description: "State and metrics of one RPC endpoint" })
export type RpcEndpointReport = typeof RpcEndpointReport.Type

/** Something that happened to an endpoint. */
export const RpcEndpointChange = Schema.Struct({
  at: field(Timestamp, "When"),
  endpoint: field(Schema.String, "Name of the endpoint"),
  event: field(
    Schema.Literals(["out_of_use", "in_use", "cordoned", "uncordoned", "preferred"]),
    "out_of_use: gets no calls. in_use: gets calls again. cordoned, uncordoned: by operators. preferred: became the first choice",
  ),
  detail: field(
    Schema.NullOr(Schema.String),
    "Why, or the endpoint that was preferred before; null if there is nothing to say",
  ),
}).annotate({ identifier: "RpcEndpointChange", description: "A change of one RPC endpoint" })
export type RpcEndpointChange = typeof RpcEndpointChange.Type

/** The RPC endpoints in order of preference, and how often the preferred one changed. */
export const RpcReport = Schema.Struct({
  switches: field(Schema.Int, "How often another endpoint became the preferred one"),
  endpoints: field(Schema.Array(RpcEndpointReport), "The endpoints in order of preference"),
  stillSeconds: Schema.optionalKey(
    field(
      Schema.Int,
      "Seconds for which no endpoint that answers has shown a new confirmed slot; absent below a minute",
    ),
  ),
  changes: field(Schema.Array(RpcEndpointChange), "The last 50 changes since the start of this replica, newest first"),
}).annotate({ identifier: "RpcReport", description: "State of the RPC endpoints as seen by this replica" })
export type RpcReport = typeof RpcReport.Type
