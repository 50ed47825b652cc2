import { ClickHouse, type ClickHouse as ClickHouseClient } from "@launch-registry/clickhouse/ClickHouse"
import { createTables } from "@launch-registry/clickhouse/HistoryTables"
import { slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { overAndOver, reportedRounds } from "../leader/ReportedRounds.ts"
import { leavingTrades } from "../retention/LeavingTrades.ts"
import { oldTrades } from "../retention/OldTrades.ts"
import type { TradesNeeded, TradesUnproven } from "../retention/TradesKept.ts"
import { compareStores, isSame } from "./CompareStores.ts"
import { HistoryNotConfigured, StoresDiffer } from "./HistoryFault.ts"
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

/** To look is to compare both stores. */
const RELEASE_MILLIS = 3_600_000

/** Rounds of sending for one leader, and the report about them. Without ClickHouse it only says so where trades are there alone. */
export const historyRounds = Effect.fnUntraced(function* (options: HistoryOptions, fence: Fence) {
  const { releaseMillis = RELEASE_MILLIS, releaseSlots, retryMillis = RETRY_MILLIS, tradesDays } = options
  const clickhouse = yield* ClickHouse
  const sql = yield* SqlClient
  const { progress } = historyStatements(sql)
  const leaving = leavingTrades(sql, fence)
  let releaseDue = 0
  let problem: StoresDiffer | TradesNeeded | TradesUnproven | undefined

  /** Whether the oldest trades have left, which ClickHouse has as PostgreSQL has them. */
  const releaseNext = Effect.fnUntraced(function* (clickhouse: ClickHouseClient, days: number) {
    const next = yield* leaving.next(days, (yield* progress).sentBelow, releaseSlots)
    if (next === undefined) return false
    const { from, beyond } = next
    const compared = yield* compareStores(sql, clickhouse, from, beyond)
    if (!isSame(compared))
      return yield* new StoresDiffer({
        ...{ fromSlot: slotOf(from), toSlot: slotOf(beyond) - 1n },
        ...{ postgres: compared.postgres.rows, clickhouse: compared.clickhouse.rows },
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
    yield* Effect.catchTag(all, ["StoresDiffer", "TradesNeeded", "TradesUnproven"], (error) =>
      Effect.sync(() => {
        problem = error
      }),
    )
  })

  const work = Effect.gen(function* () {
    if (clickhouse === undefined) {
      if ((yield* oldTrades(sql).kept).keptFrom > 0n) return yield* new HistoryNotConfigured()
      return undefined
    }
    yield* createTables(clickhouse)
    yield* sameHistory(sql, clickhouse, transactionsUnder(sql, fence))
    yield* historyRound(clickhouse, fence)
    yield* release(clickhouse)
    return { problem }
  })
  return yield* reportedRounds(
    work,
    { name: "history", onDone: () => Effect.succeed(0), problemOf: ({ problem }) => problem, retryMillis },
    fence,
  )
})

/** The same, over and over; ends when the lease is lost. */
export const keepHistory = ({ everyMillis = EVERY_MILLIS, ...options }: HistoryOptions, fence: Fence) =>
  overAndOver("Sending trades to ClickHouse", everyMillis, historyRounds(options, fence))
