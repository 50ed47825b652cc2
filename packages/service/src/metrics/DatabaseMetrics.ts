import { SwapSubstatus } from "@launch-registry/domain/bridge/BridgeSwap"
import { readTransferFigures } from "@launch-registry/bridge/TransferFigures"
import { readNotificationFigures } from "@launch-registry/server/notifications/NotificationFigures"
import { readPriceAge } from "@launch-registry/server/prices/PriceFigures"
import { readSubmissionFigures } from "@launch-registry/server/submissions/SubmissionFigures"
import { readIndex, selectCounts } from "@launch-registry/server/system/IndexerStatements"
import { Context, Effect, Fiber, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { type Labels, type MetricSeries, metricSeries } from "@launch-registry/postgres/MetricSeries"

/** Figures are read at most this often, however many ask. */
const FRESH_MILLIS = 2_000
/** A database that does not answer delays a scrape by no more. */
const DEADLINE_MILLIS = 2_000

/** Writes one value that was read. */
type Show = (name: string, help: string, value: bigint | number | null, labels?: Labels) => void

const NO_POOLS = { due: 0, failing: 0, dueSeconds: 0 }

const indexerValues = (sql: SqlClient, show: Show) =>
  Effect.map(Effect.all([readIndex(sql), selectCounts(sql)]), ([{ history, marks, progress, reports }, [counts]]) => {
    const { deadLetters, dropped, isRebuilding, poison } = counts!
    show("indexer_leader", "1 while any process leads the indexing, else 0", progress.isLed ? 1 : 0)
    show(
      "indexer_rebuild_running",
      "1 while the derived tables are rebuilt alongside the live ones, else 0",
      isRebuilding && progress.isLed ? 1 : 0,
    )
    show("indexer_slot", "Highest indexed slot", progress.slot)
    show("indexer_proven_slot", "Every slot up to this one is proven complete and indexed", marks.watermarkSlot)
    show("indexer_finalized_slot", "Latest finalized slot that the leader saw", reports.leader.finalizedSlot)
    show(
      "indexer_program_proven_slot",
      "Every slot up to this one is proven complete for the program, which swaps on migrated pools are not of",
      marks.programWatermarkSlot,
    )
    show(
      "indexer_unproven_seconds",
      "Seconds of the chain that are finalized and in which the program's transactions are not proven complete",
      marks.unprovenSeconds,
    )
    show(
      "indexer_lag_seconds",
      "Age in seconds of the oldest received segment that is not indexed",
      progress.oldestPendingSeconds ?? 0,
    )
    show(
      "indexer_report_age_seconds",
      "Seconds since the leader last reported a comparison with the chain",
      reports.leader.reportSeconds,
    )
    show(
      "indexer_inbox_pending_segments",
      "Received segments that are not indexed, up to 100,000",
      progress.pendingSegments,
    )
    show(
      "indexer_poison_deliveries",
      "Deliveries that could not be read, or of which a part was missing, up to 100,000",
      poison,
    )
    show("indexer_dead_letters", "Transactions that could not be decoded, up to 100,000", deadLetters)
    show(
      "indexer_dropped_transactions",
      "Received transactions that the finalized chain does not have, up to 100,000",
      dropped,
    )
    const { due, dueSeconds, failing } = reports.pools ?? NO_POOLS
    show("indexer_pools_due", "Migrated pools that are followed and due to be compared with the chain", due)
    show(
      "indexer_pools_due_oldest_seconds",
      "Age of the oldest of these due comparisons in seconds; 0 without one",
      dueSeconds,
    )
    show("indexer_pools_failing", "Migrated pools with slots that could not be proven", failing)
    show(
      "indexer_history_failing_seconds",
      "Seconds for which every attempt to send trades to ClickHouse, or to let old ones leave PostgreSQL, has failed; 0 if the last one did not",
      history?.failingSeconds ?? 0,
    )
  })

const transferValues = (sql: SqlClient, show: Show) =>
  Effect.map(readTransferFigures(sql), (rows) => {
    for (const state of SwapSubstatus.literals) {
      const row = rows.find((one) => one.state === state)
      show(
        "bridge_transfers",
        "Bridge transfers that are open or were quoted in the last 7 days, by state",
        row?.transfers ?? 0,
        { state },
      )
      show(
        "bridge_transfers_oldest_seconds",
        "Seconds since the one of these transfers that waits longest last made progress, by state; 0 without one",
        row?.oldestSeconds ?? 0,
        { state },
      )
    }
    show(
      "bridge_transfers_needing_review",
      "Those of these transfers that an operator must review",
      rows.reduce((sum, { needingReview }) => sum + needingReview, 0n),
    )
  })

const submissionValues = (sql: SqlClient, show: Show) =>
  Effect.map(readSubmissionFigures(sql), ({ oldestSeconds, states }) => {
    for (const [state, count] of states)
      show("submissions_open", "Submitted transactions that have not ended, by state, up to 10,000 together", count, {
        state,
      })
    show(
      "submissions_oldest_seconds",
      "Seconds since the oldest submission that has not ended was made; 0 without one",
      oldestSeconds,
    )
  })

const priceValues = (sql: SqlClient, show: Show) =>
  Effect.map(readPriceAge(sql), (seconds) =>
    show("usd_prices_age_seconds", "Seconds since prices of quote tokens in US dollars were last stored", seconds),
  )

/** Interval in milliseconds at which metrics are sent, where they are: nobody may ask for them. */
export const MetricsPushedEvery = Context.Reference<number | undefined>(
  "@launch-registry/service/metrics/MetricsPushedEvery",
  { defaultValue: () => undefined },
)
const notificationValues = (sql: SqlClient, show: Show) =>
  Effect.map(readNotificationFigures(sql), ({ behind, endpoints, messages, overdueSeconds }) => {
    for (const [state, count] of messages)
      show("notification_messages", "Stored messages to endpoints, by state, up to 10,000 each", count, { state })
    for (const [state, count] of endpoints)
      show("notification_endpoints", "Endpoints by state; failing: enabled, and the last attempt failed", count, {
        state,
      })
    show(
      "notification_overdue_seconds",
      "Seconds since the longest due message of an enabled endpoint was due; 0 without one",
      overdueSeconds,
    )
    show("notification_changes_behind", "Commits of the index that no messages were made of yet", behind)
  })

/** Brings the series that are read from the database up to date. Never fails, and takes no longer than 2 s. */
export class DatabaseMetrics extends Context.Service<DatabaseMetrics, { readonly refresh: Effect.Effect<void> }>()(
  "@launch-registry/service/metrics/DatabaseMetrics",
) {
  /** The figures of the index, and those of these parts where the process has them. */
  static readonly layer = (parts: Parts) => Layer.effect(DatabaseMetrics, make(parts))
}

interface Parts {
  readonly hasBridge: boolean
  readonly hasNotifications: boolean
  readonly hasPrices: boolean
}

const make = Effect.fnUntraced(function* ({ hasBridge, hasNotifications, hasPrices }: Parts) {
  const sql = yield* SqlClient
  const scope = yield* Effect.scope
  const read: MetricSeries = yield* metricSeries
  const { gauge } = yield* metricSeries
  let isUp = 0
  gauge("database_up", "1 if the database answered the latest questions of /metrics, else 0", {}, () => isUp)

  const readAll = Effect.suspend(() => {
    const values: Array<Parameters<Show>> = []
    const show: Show = (...value) => void values.push(value)
    const all: ReadonlyArray<Effect.Effect<void, SqlError>> = [
      indexerValues(sql, show),
      submissionValues(sql, show),
      ...(hasBridge ? [transferValues(sql, show)] : []),
      ...(hasNotifications ? [notificationValues(sql, show)] : []),
      ...(hasPrices ? [priceValues(sql, show)] : []),
    ]
    return Effect.as(Effect.all(all, { concurrency: "unbounded" }), values)
  }).pipe(
    Effect.timeout(DEADLINE_MILLIS),
    Effect.matchCause({
      // What was true a while ago would look as if it were now.
      onFailure: () => {
        isUp = 0
        read.clear()
      },
      onSuccess: (values) => {
        isUp = 1
        read.clear()
        for (const [name, help, value, labels = {}] of values)
          if (value !== null) read.gauge(name, help, labels, () => Number(value))
      },
    }),
  )

  let readAt = Number.NEGATIVE_INFINITY
  let reading: Fiber.Fiber<void> | undefined
  const refresh = Effect.gen(function* () {
    if (performance.now() - readAt >= FRESH_MILLIS) {
      readAt = performance.now()
      // Not of the request: others wait for it as well.
      reading = yield* Effect.forkIn(readAll, scope)
    }
    if (reading !== undefined) yield* Fiber.await(reading)
  })
  const everyMillis = yield* MetricsPushedEvery
  if (everyMillis !== undefined) yield* Effect.forkScoped(Effect.repeat(refresh, Schedule.spaced(everyMillis)))
  return DatabaseMetrics.of({ refresh })
})
