import { Schema } from "effect"

/** Why an endpoint is or is not in use; `closed` is the circuit breaker's word for in use. */
export const RpcEndpointState = Schema.Literals([
  ...(["closed", "open", "paused", "behind"] as const),
  ...(["forbidden", "wrong_cluster", "unverified", "resting"] as const),
]).annotate({ identifier: "RpcEndpointState" })

const Quantile = Schema.NullOr(Schema.Finite)

/** What is known of one RPC endpoint. Latencies are those of answered calls, in milliseconds. */
export const RpcEndpointReport = Schema.Struct({
  name: Schema.String,
  state: RpcEndpointState,
  /** Latest confirmed slot seen. */
  slot: Schema.NullOr(Schema.String),
  /** Slots behind the best endpoint. */
  slotLag: Schema.NullOr(Schema.Int),
  genesisHash: Schema.NullOr(Schema.String),
  latencyMillis: Schema.Struct({ p50: Quantile, p95: Quantile, p99: Quantile }),
  /** Answers up to each bound; the last one has none. */
  latencyHistogram: Schema.Array(Schema.Struct({ upToMillis: Quantile, count: Schema.Int })),
  calls: Schema.Int,
  probes: Schema.Int,
  /** Faults of calls and probes by class. */
  errors: Schema.Record(Schema.String, Schema.Int),
  /** Methods that this endpoint does not let us use, though it answers others. */
  refusedMethods: Schema.Array(Schema.String),
  hedgesWon: Schema.Int,
  hedgesLost: Schema.Int,
  timesOutOfUse: Schema.Int,
  lastFault: Schema.NullOr(Schema.Struct({ fault: Schema.String, method: Schema.String, atMillis: Schema.Finite })),
}).annotate({ identifier: "RpcEndpointReport" })
export type RpcEndpointReport = typeof RpcEndpointReport.Type

/** The RPC endpoints in order of preference, and how often another one became the first choice. */
export const RpcReport = Schema.Struct({
  switches: Schema.Int,
  endpoints: Schema.Array(RpcEndpointReport),
}).annotate({ identifier: "RpcReport" })
export type RpcReport = typeof RpcReport.Type
