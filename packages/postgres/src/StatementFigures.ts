import { Effect, type Scope } from "effect"
import { DurationHistogram } from "./DurationHistogram.ts"
import { metricSeries } from "./MetricSeries.ts"

const BOUNDS_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15] as const

/** What has been counted of the statements of one client. */
export class StatementFigures {
  waiting = 0
  statements = 0
  transactions = 0
  errors = 0
  readonly waits = new DurationHistogram(BOUNDS_SECONDS)
  readonly queries = new DurationHistogram(BOUNDS_SECONDS)
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
