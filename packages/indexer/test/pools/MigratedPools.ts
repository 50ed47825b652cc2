import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { DBC_PROGRAM } from "@launch-registry/chain/accounts/Programs"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { generateChain } from "../../fixtures/GenerateTransactions.ts"
import { involves } from "../../src/finality/Judgement.ts"
import { Reconciler } from "../../src/finality/Reconciler.ts"
import type { Fence } from "../../src/leader/Lease.ts"
import { decodedEvents } from "../../src/modules/DatabaseChanges.ts"
import { PoolReconciler } from "../../src/finality/PoolReconciler.ts"
import type { ProofPace } from "../../src/finality/ProofPace.ts"
import { union } from "../../src/sources/SlotRanges.ts"
import { randomSignature } from "../finality/ReconciledIndex.ts"
import { fold } from "../TestIndex.ts"

/** Some 220 transactions, a third of them swaps on two pools that curves migrated to; about one in twelve failed. */
export const { blocks } = generateChain({
  seed: 52,
  slots: 60,
  transactionsPerSlot: 4,
  failedShare: 0.08,
  isLarge: false,
  dammShare: 0.5,
  pools: 12,
})
export const transactions = blocks.flatMap((block) => block.transactions)
export const landed = transactions.filter(({ meta }) => meta.err === null)
export const ORIGIN = blocks[0]!.slot
export const LAST = blocks.at(-1)!.slot

/** Slots of migrations, by pool. */
export const MIGRATED = new Map(
  decodedEvents(landed).events.flatMap((event) =>
    event.type === "PoolMigrated" ? [[event.migratedPool, Number(event.at.slot)] as const] : [],
  ),
)
export const POOLS = [...MIGRATED.keys()]

/** Pools that a transaction has trades on. */
export const poolsOf = (transaction: RawTransaction): ReadonlyArray<string> =>
  decodedEvents([transaction]).events.flatMap((event) =>
    event.type === "Swapped" && event.venue === "damm_v2" ? [event.pool] : [],
  )

/** Swaps on migrated pools that do not call the program. */
export const swaps = landed.filter((one) => poolsOf(one).length > 0 && !involves(one, DBC_PROGRAM))

/** Compares a pool again at once, and never runs out of requests. */
export const PACE: ProofPace = { activeMillis: 0, requestsMax: 1_000_000, slotMillis: 250 }

export const poolRound = (fence: Fence, pace = PACE) =>
  Effect.flatMap(PoolReconciler, (reconciler) => reconciler.round(fence, pace))

/** All pools are due again, as after a while. */
export const later = Effect.flatMap(SqlClient, (sql) => sql`update followed_pools set due_at = '2000-01-01'`)

/** The program is proven, then the pools that have migrated by then; everything is folded. */
export const proveAll = Effect.fnUntraced(function* (fence: Fence) {
  const reconciler = yield* Reconciler
  const ofProgram = yield* reconciler.round(BigInt(ORIGIN), fence)
  yield* fold(fence)
  yield* later
  const ofPools = yield* poolRound(fence)
  yield* fold(fence)
  return { ofProgram, ofPools }
})

/** Proven slots of each pool, as offsets from the origin. */
export const poolsCovered = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly pool: string; readonly fromSlot: bigint; readonly toSlot: bigint }>`
    select pool, from_slot, to_slot from coverage where pool <> ''`
  return Object.fromEntries(
    [...Map.groupBy(rows, ({ pool }) => pool)].map(([pool, ranges]) => [
      pool,
      union(ranges).map(({ fromSlot, toSlot }) => [Number(fromSlot) - ORIGIN, Number(toSlot) - ORIGIN]),
    ]),
  )
})

/** What they are when every pool is proven up to a slot. */
export const wholeUpTo = (slot: number) =>
  Object.fromEntries([...MIGRATED].map(([pool, migrated]) => [pool, [[migrated - ORIGIN, slot - ORIGIN]]]))

const swap = swaps[Math.floor(swaps.length / 2)]!

/** On the chain, and of nothing of ours. */
export const stranger: RawTransaction = {
  ...swap,
  indexWithinBlock: 1_500,
  meta: { ...swap.meta, innerInstructions: [], loadedAddresses: { writable: [], readonly: [] } },
  transaction: {
    signatures: [randomSignature(77)],
    message: { ...swap.transaction.message, accountKeys: ["1".repeat(32)], addressTableLookups: [], instructions: [] },
  },
}
export const withStranger = blocks.map((block) =>
  block.slot === stranger.slot ? { ...block, transactions: [...block.transactions, stranger] } : block,
)
