import { Effect, type Scope } from "effect"
import { metricSeries } from "../MetricSeries.ts"
import type { ReadReplica } from "./ReadReplica.ts"

/** What is measured of a replica when it is scraped. */
interface Measured {
  readonly state: string
  readonly millisBehind: number
  readonly bytesBehind: bigint
}

/** Registers the figures of replicas, by their names. */
export const registerReplicaMetrics = (
  replicas: ReadonlyArray<ReadReplica>,
  measured: (replica: ReadReplica) => Measured,
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.map(metricSeries, ({ counter, gauge }) => {
    for (const replica of replicas) {
      const labels = { replica: replica.name }
      gauge("database_replica_in_use", "Whether the replica answers reads: 1 or 0", labels, () =>
        measured(replica).state === "in_use" ? 1 : 0,
      )
      gauge(
        "database_replica_lag_seconds",
        "For how many seconds the primary has written something that the replica has not replayed",
        labels,
        () => measured(replica).millisBehind / 1_000,
      )
      gauge(
        "database_replica_lag_bytes",
        "Bytes of the write-ahead log that the primary has written and the replica has not replayed",
        labels,
        () => Number(measured(replica).bytesBehind),
      )
      counter(
        "database_replica_statements_total",
        "Statements that the replica was asked",
        labels,
        () => replica.figures.queries.count,
      )
      counter(
        "database_replica_fallbacks_total",
        "Reads that failed on the replica and ran again on the primary",
        labels,
        () => replica.fallbacks,
      )
    }
  })
