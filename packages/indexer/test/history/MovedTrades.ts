import type { ClickHouse } from "@launch-registry/clickhouse/ClickHouse"
import type { LeaderReport } from "@launch-registry/domain/system/LeaderReport"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { historyRound } from "../../src/history/HistoryRound.ts"
import { historyStatements } from "../../src/history/HistoryStatements.ts"
import { moveOldTrades } from "../../src/history/MoveOldTrades.ts"
import type { Fence } from "../../src/leader/Lease.ts"
import { reportStatements } from "../../src/leader/ReportStatements.ts"
import { tradingWindowStatements } from "../../src/sink/TradingWindows.ts"
import { round } from "../finality/ReconciledIndex.ts"
import { blocks, FIRST } from "../retention/TwoHours.ts"
import { standInCluster } from "../StandInCluster.ts"
import { fold, receiveTransactions } from "../TestIndex.ts"

export const DAYS = 10
export const LAST = blocks.at(-1)!.slot
const DAY_MILLIS = 86_400_000

/** A node that has finalized all of the chain. */
export const finalizedCluster = Effect.map(standInCluster(blocks), (cluster) => {
  cluster.finalizedSlot = LAST
  return cluster
})

export const received = Effect.fnUntraced(function* (some: typeof blocks) {
  for (const { transactions } of some) yield* receiveTransactions(transactions)
})

/** Everything that was received is folded, proven, compared and counted. */
export const settled = Effect.fnUntraced(function* (fence: Fence) {
  yield* fold(fence)
  yield* round(fence, FIRST)
  yield* round(fence, FIRST)
  yield* tradingWindowStatements(yield* SqlClient).refresh(fence)
})

/** An index that has the chain; the newest transaction arrives last. */
export const filled = Effect.fnUntraced(function* (fence: Fence) {
  const report: LeaderReport = {
    ...{ cluster: null, otherCluster: null, originSlot: String(FIRST), finalizedSlot: null, source: "webhook" },
    ...{ reconcileSeconds: 60, slotMillis: 250, missing: 0, dropped: 0, problem: null },
  }
  yield* reportStatements(yield* SqlClient).write("leader", report, new Date(0))
  yield* received(blocks)
  yield* settled(fence)
})

/** Does something when the trades of this slot are just as old as trades are kept. */
export const atSlot = <A, E, R>(slot: number, work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const now = blocks[slot - FIRST]!.transactions[0]!.blockTime! * 1000 + DAYS * DAY_MILLIS
    const clock = Object.assign(Object.create(yield* Clock.Clock) as Clock.Clock, {
      currentTimeMillis: Effect.succeed(now),
      currentTimeMillisUnsafe: () => now,
    })
    return yield* Effect.provideService(work, Clock.Clock, clock)
  })

/** Moves what is old then, five slots at once; returns how often. */
export const movedAt = (slot: number, clickhouse: ClickHouse, fence: Fence) =>
  atSlot(
    slot,
    Effect.gen(function* () {
      let moved = 0
      while (yield* moveOldTrades(clickhouse, DAYS, fence, 5n)) moved++
      return moved
    }),
  )

/** Sends what is proven, then moves what is old. */
export const sentAndMovedAt = (slot: number, clickhouse: ClickHouse, fence: Fence) =>
  Effect.andThen(historyRound(clickhouse, fence), movedAt(slot, clickhouse, fence))

interface Place {
  readonly ordinal: string
  readonly signature: string
}

/** What a reader of both stores sees: of PostgreSQL what it has from `kept_from` on, and of ClickHouse the rest. */
export const placesOfBoth = Effect.fnUntraced(function* (clickhouse: ClickHouse) {
  const sql = yield* SqlClient
  const { keptFrom } = yield* historyStatements(sql).progress
  const here = yield* sql<Place>`
    select ordinal::text, signature from trades where ordinal >= ${keptFrom} order by trades.ordinal, signature`
  const there = yield* clickhouse.select<Place>(
    "select toString(ordinal) as ordinal, signature from trades final where trades.ordinal < {from:UInt64} order by trades.ordinal, signature",
    { from: String(keptFrom) },
  )
  return [...there, ...here].map(({ ordinal, signature }) => `${ordinal} ${signature}`)
})
