import { ClickHouse, type ClickHouse as ClickHouseClient } from "@launch-registry/clickhouse/ClickHouse"
import { createTables } from "@launch-registry/clickhouse/HistoryTables"
import { slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { regularly } from "@launch-registry/postgres/Regularly"
import { type Fence, LeaseLost, transactionsUnder } from "../leader/Lease.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { leavingTrades } from "../retention/LeavingTrades.ts"
import { oldTrades } from "../retention/OldTrades.ts"
import { TradesStay } from "../retention/TradesStay.ts"
import { compareStores, isSame } from "./CompareStores.ts"
import { HistoryFault } from "./HistoryFault.ts"
import { sameHistory } from "./HistoryIdentity.ts"
import { historyRound } from "./HistoryRound.ts"
import { historyStatements } from "./HistoryStatements.ts"

/** What a leader does for history. */
export interface HistoryOptions {
  /** Older trades and minute candles leave PostgreSQL; by default none. */
  readonly tradesDays?: number | undefined
  /** How often it looks for what can be sent. */
  readonly everyMillis?: number
  /** How often it looks for what may leave PostgreSQL. */
  readonly releaseMillis?: number
  /** Slots whose trades leave at once; by default those of a day. */
  readonly releaseSlots?: bigint
  /** After a failure; twice as long after each further one. */
  readonly retryMillis?: number
}

/** Each insert is a part that ClickHouse merges later. */
const EVERY_MILLIS = 15_000
const RETRY_MILLIS = 15_000
const RETRY_MILLIS_MAX = 1_800_000
const REPORT_LENGTH_MAX = 500

/** To look is to compare both stores. */
const RELEASE_MILLIS = 3_600_000

const NOT_CONFIGURED =
  "Old trades are in ClickHouse: set HISTORY_URL to what it was, because they cannot be read without it"

/**
 * Rounds of sending for one leader, and the report about them: why the last one failed, and since when all have. After failures rounds are
 * left out for longer and longer, up to half an hour. Without ClickHouse it only says so where trades are there alone.
 */
export const historyRounds = Effect.fnUntraced(function* (options: HistoryOptions, fence: Fence) {
  const { releaseMillis = RELEASE_MILLIS, releaseSlots, retryMillis = RETRY_MILLIS, tradesDays } = options
  const clickhouse = yield* ClickHouse
  const sql = yield* SqlClient
  const { progress } = historyStatements(sql)
  const held = transactionsUnder(sql, fence)
  const leaving = leavingTrades(sql, fence)
  let releaseDue = 0
  let problem: TradesStay | undefined

  /** Whether the oldest trades have left, which ClickHouse has as PostgreSQL has them. */
  const releaseNext = Effect.fnUntraced(function* (clickhouse: ClickHouseClient, days: number) {
    const next = yield* leaving.next(days, (yield* progress).sentBelow, releaseSlots)
    if (next === undefined) return false
    const { from, beyond } = next
    const compared = yield* compareStores(sql, clickhouse, from, beyond)
    if (!isSame(compared))
      return yield* new TradesStay({
        reason:
          `PostgreSQL and ClickHouse differ in the trades of slots ${slotOf(from)} to ${slotOf(beyond) - 1n} (${compared.postgres.rows} and ` +
          `${compared.clickhouse.rows} rows), so none of them leaves PostgreSQL: see verify-history`,
      })
    return yield* leaving.leave(next)
  })

  /** What is not released stays in PostgreSQL, and everything goes on. */
  const release = Effect.fnUntraced(function* (clickhouse: ClickHouseClient) {
    const millis = yield* Clock.currentTimeMillis
    if (tradesDays === undefined || millis < releaseDue) return
    releaseDue = millis + releaseMillis
    problem = undefined
    const all = Effect.gen(function* () {
      while (yield* releaseNext(clickhouse, tradesDays)) yield* Effect.logInfo("Trades of a day left PostgreSQL")
    })
    yield* Effect.catchTag(all, "TradesStay", (error) =>
      Effect.sync(() => {
        problem = error
      }),
    )
  })

  /** `undefined` without ClickHouse. */
  const work = Effect.gen(function* () {
    if (clickhouse === undefined) {
      if ((yield* oldTrades(sql).kept).keptFrom > 0n) return yield* new HistoryFault({ reason: NOT_CONFIGURED })
      return undefined
    }
    yield* createTables(clickhouse)
    yield* sameHistory(sql, clickhouse, held)
    yield* historyRound(clickhouse, fence)
    yield* release(clickhouse)
    return { problem }
  })

  const reports = reportStatements(sql)
  let failures = 0
  let failingSince: string | undefined
  let dueMillis = 0
  let isForgotten = false

  const report = Effect.fnUntraced(function* (found: { readonly message: string } | undefined) {
    const now = new Date(yield* Clock.currentTimeMillis)
    failingSince = found && (failingSince ?? now.toISOString())
    isForgotten = false
    const facts = { problem: found?.message.slice(0, REPORT_LENGTH_MAX) ?? null, failingSince: failingSince ?? null }
    yield* held(reports.write("history", facts, now))
  })

  const failed = Effect.fnUntraced(function* (error: { readonly message: string }) {
    dueMillis = (yield* Clock.currentTimeMillis) + Math.min(retryMillis * 2 ** failures++, RETRY_MILLIS_MAX)
    yield* report(error)
  })

  return Effect.gen(function* () {
    if ((yield* Clock.currentTimeMillis) < dueMillis) return
    const done = yield* Effect.tapError(work, (error) => (error instanceof LeaseLost ? Effect.void : failed(error)))
    failures = 0
    dueMillis = 0
    if (done !== undefined) return yield* report(done.problem)
    // What the last round failed with is over.
    failingSince = undefined
    if (!isForgotten) yield* held(reports.forget("history"))
    isForgotten = true
  })
})

/** The same, over and over; ends when the lease is lost. */
export const keepHistory = ({ everyMillis = EVERY_MILLIS, ...options }: HistoryOptions, fence: Fence) =>
  Effect.flatMap(historyRounds(options, fence), (round) =>
    Effect.flatMap(Effect.context<Effect.Services<typeof round>>(), (context) =>
      regularly(
        "Sending trades to ClickHouse",
        everyMillis,
        Effect.provide(round, context),
        (error) => error instanceof LeaseLost,
      ),
    ),
  )
