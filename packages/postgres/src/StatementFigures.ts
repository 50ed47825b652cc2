import { Effect, type Scope } from "effect"
import { metricSeries } from "./MetricSeries.ts"

const BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15] as const

/** Times by bucket; the last one has no bound. */
class Durations {
  readonly counts = Array.from({ length: BOUNDS_SECONDS.length + 1 }, () => 0)
  count = 0
  sum = 0
  max = 0

  add(millis: number): void {
    const seconds = millis / 1_000
    let bucket = 0
    while (bucket < BOUNDS_SECONDS.length && seconds > BOUNDS_SECONDS[bucket]!) bucket++
    this.counts[bucket]!++
    this.count++
    this.sum += seconds
    if (seconds > this.max) this.max = seconds
  }
}

/** What has been counted of the statements of one client. */
export class StatementFigures {
  waiting = 0
  statements = 0
  transactions = 0
  errors = 0
  readonly waits = new Durations()
  readonly queries = new Durations()
}

/** Registers the figures of a client as metrics that are read on scrape. */
export const registerStatementMetrics = (
  figures: StatementFigures,
  connections: { readonly open: () => number; readonly max: number },
): Effect.Effect<void, never, Scope.Scope> =>
  Effect.map(metricSeries, ({ counter, gauge, histogram }) => {
    gauge("database_connections", "Open connections to PostgreSQL, with the one for heartbeats", {}, connections.open)
    gauge(
      "database_connections_max",
      "Connections that may be open, without the one for heartbeats",
      {},
      () => connections.max,
    )
    gauge(
      "database_statements_in_flight",
      "Statements that PostgreSQL has not answered yet",
      {},
      () => figures.statements,
    )
    gauge(
      "database_transactions_in_flight",
      "Transactions, each of which holds a connection",
      {},
      () => figures.transactions,
    )
    gauge("database_waiting", "Statements and transactions that wait for a connection", {}, () => figures.waiting)
    histogram(
      "database_wait_duration_seconds",
      "Time in seconds that statements and transactions waited for a connection",
      {},
      BOUNDS_SECONDS,
      () => figures.waits,
    )
    histogram(
      "database_query_duration_seconds",
      "Time in seconds from sending a statement to its answer, failed ones included",
      {},
      BOUNDS_SECONDS,
      () => figures.queries,
    )
    counter("database_query_errors_total", "Statements that failed", {}, () => figures.errors)
  })
