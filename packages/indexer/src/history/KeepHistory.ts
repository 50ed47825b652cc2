import { ClickHouse, type ClickHouse as ClickHouseClient } from "@launch-registry/clickhouse/ClickHouse"
import { createTables } from "@launch-registry/clickhouse/HistoryTables"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { overAndOver, reportedRounds } from "../leader/ReportedRounds.ts"
import { HistoryNotConfigured, type ReleaseFault } from "./HistoryFault.ts"
import { sameHistory } from "./HistoryIdentity.ts"
import { historyRound } from "./HistoryRound.ts"
import { historyStatements } from "./HistoryStatements.ts"
import { moveOldTrades } from "./MoveOldTrades.ts"

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

/** What a round did. */
interface Kept {
  readonly changes: number
  readonly released: number
  readonly problem: ReleaseFault | undefined
}

/** Rounds of sending for one leader, and the report about them. Without ClickHouse it only says so where trades are there alone. */
export const historyRounds = Effect.fnUntraced(function* (options: HistoryOptions, fence: Fence) {
  const { releaseMillis = RELEASE_MILLIS, releaseSlots, retryMillis = RETRY_MILLIS, tradesDays } = options
  const clickhouse = yield* ClickHouse
  const sql = yield* SqlClient
  const { progress } = historyStatements(sql)
  const held = transactionsUnder(sql, fence)
  let releaseDue = 0
  let problem: ReleaseFault | undefined

  /** What is not released stays in PostgreSQL, and everything goes on. */
  const release = Effect.fnUntraced(function* (clickhouse: ClickHouseClient) {
    const millis = yield* Clock.currentTimeMillis
    if (tradesDays === undefined || millis < releaseDue) return 0
    releaseDue = millis + releaseMillis
    problem = undefined
    let released = 0
    const all = Effect.gen(function* () {
      while (yield* moveOldTrades(clickhouse, tradesDays, fence, releaseSlots)) released++
    })
    yield* Effect.catchTag(all, ["StoresDiffer", "TradesNeeded", "TradesUnproven"], (error) =>
      Effect.sync(() => {
        problem = error
      }),
    )
    return released
  })

  const work = Effect.gen(function* () {
    if (clickhouse === undefined) {
      if ((yield* progress).keptFrom > 0n) return yield* new HistoryNotConfigured()
      return undefined
    }
    yield* createTables(clickhouse)
    yield* sameHistory(sql, clickhouse, held)
    let changes = 0
    for (let isBehind = true; isBehind;) {
      const round = yield* historyRound(clickhouse, fence)
      changes += round.changes
      isBehind = round.isBehind
    }
    const released = yield* release(clickhouse)
    return { changes, released, problem } satisfies Kept
  })
  const onDone = ({ changes, released }: Kept) =>
    Effect.as(
      Effect.gen(function* () {
        if (changes > 0) yield* Effect.logInfo(`Sent ${changes} trades again that were changed since`)
        if (released > 0) yield* Effect.logInfo(`Trades of ${released} days left PostgreSQL`)
      }),
      0,
    )
  return yield* reportedRounds(
    work,
    { name: "history", onDone, problemOf: ({ problem }) => problem, retryMillis },
    fence,
  )
})

/** The same, over and over; ends when the lease is lost. */
export const keepHistory = ({ everyMillis = EVERY_MILLIS, ...options }: HistoryOptions, fence: Fence) =>
  overAndOver("Sending trades to ClickHouse", everyMillis, historyRounds(options, fence))
