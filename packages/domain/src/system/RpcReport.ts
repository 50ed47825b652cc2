import { Schema } from "effect"
import { field } from "../http/Field.ts"

/** Why an endpoint is or is not in use; `closed` is the circuit breaker's word for in use. */
export const RpcEndpointState = Schema.Literals([
  ...(["closed", "open", "paused", "behind"] as const),
  ...(["forbidden", "wrong_cluster", "unverified", "resting"] as const),
]).annotate({
  identifier: "RpcEndpointState",
  description:
    "closed (circuit breaker) and resting: usable. open: failed. paused: rate limited. behind: too many slots behind. forbidden: refuses the key. wrong_cluster: another network. unverified: not checked yet",
})

const Quantile = Schema.NullOr(Schema.Finite)

/** What is known of one RPC endpoint. Latencies are those of answered calls, in milliseconds. */
export const RpcEndpointReport = Schema.Struct({
  name: field(Schema.String, "Name of the endpoint; its URL is not shown"),
  state: RpcEndpointState,
  slot: field(Schema.NullOr(Schema.String), "Latest confirmed slot seen, a decimal string; null before the first"),
  slotLag: field(Schema.NullOr(Schema.Int), "Slots behind the best endpoint; null before the first slot"),
  genesisHash: field(Schema.NullOr(Schema.String), "Genesis hash of its cluster, base58; null before it was asked"),
  latencyMillis: field(
    Schema.Struct({
      p50: field(Quantile, "Median, in milliseconds; null without an answer"),
      p95: field(Quantile, "95th percentile, in milliseconds; null without an answer"),
      p99: field(Quantile, "99th percentile, in milliseconds; null without an answer"),
    }),
    "Latencies of answered calls, as upper bounds from the histogram",
  ),
  latencyHistogram: field(
    Schema.Array(
      Schema.Struct({
        upToMillis: field(Quantile, "Upper bound in milliseconds; null for no bound"),
        count: field(Schema.Int, "Answered calls up to this bound"),
      }),
    ),
    "Answered calls by latency, cumulative",
  ),
  calls: field(Schema.Int, "Calls since the start"),
  probes: field(Schema.Int, "Health probes since the start"),
  errors: field(Schema.Record(Schema.String, Schema.Int), "Faults of calls and probes since the start, by class"),
  refusedMethods: field(Schema.Array(Schema.String), "RPC methods that the endpoint refuses, though it answers others"),
  hedgesWon: field(Schema.Int, "Hedged calls that this endpoint answered first"),
  hedgesLost: field(Schema.Int, "Hedged calls that another endpoint answered first"),
  timesOutOfUse: field(Schema.Int, "How often the endpoint went out of use"),
  lastFault: field(
    Schema.NullOr(
      Schema.Struct({
        fault: field(Schema.String, "What went wrong"),
        method: field(Schema.String, "RPC method that was called"),
        atMillis: field(Schema.Finite, "When, in milliseconds since 1970"),
      }),
    ),
    "Latest fault; null when there was none",
  ),
}).annotate({ identifier: "RpcEndpointReport", description: "State and figures of one RPC endpoint" })
export type RpcEndpointReport = typeof RpcEndpointReport.Type

/** The RPC endpoints in order of preference, and how often another one became the first choice. */
export const RpcReport = Schema.Struct({
  switches: field(Schema.Int, "How often another endpoint became the first choice"),
  endpoints: field(Schema.Array(RpcEndpointReport), "The endpoints in order of preference"),
}).annotate({ identifier: "RpcReport", description: "State of the RPC endpoints, as this replica sees them" })
export type RpcReport = typeof RpcReport.Type
