import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { LeaderReport } from "@launch-registry/domain/system/LeaderReport"
import type { Fence } from "../../src/leader/Lease.ts"
import { reportStatements } from "../../src/leader/ReportStatements.ts"
import { prunedSlots } from "../../src/retention/PrunedSlots.ts"
import { type RetentionOptions, sweepInbox } from "../../src/retention/Retention.ts"
import { blocks, ORIGIN, round } from "../finality/ReconciledIndex.ts"
import { fold, receiveTransactions } from "../TestIndex.ts"

const DAY_MILLIS = 86_400_000

/** Where the leader began to prove. */
export const originReported = Effect.gen(function* () {
  const report: LeaderReport = {
    ...{ cluster: null, otherCluster: null, originSlot: String(ORIGIN), finalizedSlot: null, source: "webhook" },
    ...{ reconcileSeconds: 60, slotMillis: 250, missing: 0, dropped: 0, problem: null },
  }
  yield* reportStatements(yield* SqlClient).write("leader", report, new Date(0))
})

/** Every block is delivered by itself, folded, and proven; the proof counts. */
export const wholeLog = Effect.fnUntraced(function* (fence: Fence) {
  yield* originReported
  for (const { transactions } of blocks) yield* receiveTransactions(transactions)
  yield* fold(fence)
  yield* round(fence)
})

/** When a block was, in milliseconds. */
export const timeOf = (slot: number): number => blocks[slot - ORIGIN]!.transactions[0]!.blockTime! * 1000

/** A sweep when blocks as old as that of this slot are exactly one day old, and so kept. */
export const sweptAt = (slot: number, options: RetentionOptions, fence: Fence) =>
  Effect.gen(function* () {
    const now = timeOf(slot) + DAY_MILLIS
    const clock = Object.assign(Object.create(yield* Clock.Clock) as Clock.Clock, {
      currentTimeMillis: Effect.succeed(now),
      currentTimeMillisUnsafe: () => now,
    })
    yield* Effect.provideService(sweepInbox(options, fence), Clock.Clock, clock)
  })

/** The last slot with a block from before that of `slot`. */
export const lastBefore = (slot: number): number =>
  blocks.findLast(({ transactions: [one] }) => one !== undefined && one.blockTime! * 1000 < timeOf(slot))!.slot

export const pruned = Effect.flatMap(SqlClient, (sql) => prunedSlots(sql).read)

/** Slots of what is in the log, by table. */
export const slotsInLog = Effect.gen(function* () {
  const sql = yield* SqlClient
  const slots = (rows: ReadonlyArray<{ readonly slot: bigint }>) => rows.map(({ slot }) => Number(slot))
  return {
    segments: slots(yield* sql<{ slot: bigint }>`select last_slot as slot from inbox_segments order by 1`),
    transactions: slots(yield* sql<{ slot: bigint }>`select distinct slot from inbox_transactions order by 1`),
  }
})
