import { Context, Effect, type Scope } from "effect"
import { metricSeries } from "./MetricSeries.ts"

/** What the heartbeat of a process has learnt of the primary. */
export interface PrimaryState {
  /** Commits wait for a synchronous standby that does not answer: writes are refused. */
  isWaiting: boolean
}

/** The state of the primary that `Database.layer` keeps. */
export const PrimaryState = Context.Reference<PrimaryState>("@launch-registry/postgres/PrimaryState", {
  defaultValue: () => ({ isWaiting: false }),
})

/** Registers it as a metric that is read on scrape. */
export const registerPrimaryMetrics = (state: PrimaryState): Effect.Effect<void, never, Scope.Scope> =>
  Effect.map(metricSeries, ({ gauge }) =>
    gauge(
      "database_commits_waiting",
      "Whether commits wait for a synchronous standby that does not answer: 1 or 0",
      {},
      () => (state.isWaiting ? 1 : 0),
    ),
  )
