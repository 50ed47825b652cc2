import { assert, describe, it } from "@effect/vitest"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Reconciler } from "../../src/finality/Reconciler.ts"
import { signatureOf, standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import {
  between,
  blocks,
  covered,
  digestOfAll,
  dropped,
  forged,
  landed,
  LAST,
  ORIGIN,
  randomSignature,
  reconciledIndex,
  round,
  transactions,
} from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
const swap = landed[100]!
const failure = transactions.find(({ meta, slot }) => meta.err !== null && slot > ORIGIN + 5)!

/** A transaction on the chain that does not involve the program. */
const foreign: RawTransaction = {
  ...swap,
  indexWithinBlock: 1_500,
  meta: { ...swap.meta, innerInstructions: [], loadedAddresses: { writable: [], readonly: [] } },
  transaction: {
    signatures: [randomSignature(1)],
    message: { ...swap.transaction.message, accountKeys: ["11111111111111111111111111111111"], instructions: [] },
  },
}
const withForeign = blocks.map((block) =>
  block.slot === foreign.slot ? { ...block, transactions: [...block.transactions, foreign] } : block,
)

const REASONS = {
  "it failed on chain": 1,
  "it does not involve the program": 1,
  "the chain does not know it": 1,
  "the chain has it in another slot": 1,
}
/** One for each reason: all of them claim a trade. */
const forgeries = [
  forged(swap, { signature: signatureOf(failure), slot: failure.slot }),
  forged(swap, { signature: signatureOf(foreign) }),
  forged(swap, { signature: randomSignature(2) }),
  forged(swap, { slot: swap.slot + 3 }),
]

describe("A delivered transaction that is not on the chain", () => {
  it.live("is found in the next round when it arrives in slots that are already proven", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(withForeign)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        // The failed one is not delivered, so that the forger is first.
        yield* receiveTransactions(landed)
        yield* round(fence)
        yield* receiveTransactions(forgeries.slice(0, 2))
        yield* fold(fence)
        assert.notDeepEqual(yield* digest, whole)
        yield* receiveTransactions(forgeries.slice(2))
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 4 })
        assert.deepStrictEqual(yield* dropped, REASONS)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0 })
        // Delivered again, it is a new entry and is reverted again.
        yield* receiveTransactions(forgeries)
        assert.deepInclude(yield* round(fence), { dropped: 4 })
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("is found in slots that are never proven: below the origin, and far above finality", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      const origin = ORIGIN + 30
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const real = between(25, SLOTS)
        const whole = yield* digestOfAll(fence, real)
        yield* receiveTransactions(real)
        yield* receiveTransactions([
          forged(swap, { signature: randomSignature(3), slot: 5 }),
          forged(swap, { signature: randomSignature(4), slot: 2 ** 31 - 2 }),
          forged(swap, { slot: ORIGIN + 28 }),
          forged(swap, { slot: LAST + 5_000 }),
        ])
        yield* fold(fence)
        assert.deepInclude(yield* round(fence, origin), { missing: 0, dropped: 4 })
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* covered, [[30, SLOTS]])
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("is kept while it is slightly ahead of finality, because its block may still be finalized", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      cluster.finalizedSlot = ORIGIN + 20
      cluster.confirmedSlot = ORIGIN + 25
      yield* Effect.gen(function* () {
        const fence = yield* lead
        yield* receiveTransactions(landed)
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0 })
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0 })
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("does not mislead the choice of where to begin below proven slots", () =>
    Effect.gen(function* () {
      // The forged one is the lowest in the log above what is to be proven.
      const hollow = [20, 25, 30].map((number) => ORIGIN + number)
      const chain = blocks.map((block) => (hollow.includes(block.slot) ? { ...block, transactions: [] } : block))
      const real = landed.filter(({ slot }) => !hollow.includes(slot))
      const cluster = yield* standInCluster(chain)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const reconciler = yield* Reconciler
        const sql = yield* SqlClient
        const whole = yield* digestOfAll(fence, real)
        yield* reconciler.prove({ fromSlot: BigInt(ORIGIN + 30), toSlot: BigInt(LAST) }, fence)
        const places = [
          // It is at the very bottom: beginning there, everything above would seem empty.
          forged(real[1]!, { slot: ORIGIN + 30 }),
          // It is nowhere: nodes then list nothing.
          forged(swap, { signature: randomSignature(5), slot: ORIGIN + 25 }),
        ]
        for (const place of places) {
          yield* receiveTransactions([place])
          // As when the range has grown by another proof meanwhile.
          yield* sql`update coverage set log_offset = (select next_offset from inbox_head)`
          const [fromSlot, toSlot] = [place.slot - 5, place.slot - 1]
          const { missing } = yield* reconciler.prove({ fromSlot: BigInt(fromSlot), toSlot: BigInt(toSlot) }, fence)
          assert.strictEqual(missing, real.filter(({ slot }) => slot >= fromSlot && slot <= toSlot).length)
        }
        yield* round(fence)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})

describe("A dropped fork", () => {
  it.live("is reverted when its transactions landed again in another slot", () =>
    Effect.gen(function* () {
      const [first, second] = [blocks[10]!, blocks[11]!]
      const moved = first.transactions.map((one) => ({
        ...one,
        slot: second.slot,
        blockTime: second.blockTime,
        indexWithinBlock: one.indexWithinBlock! + 2_000,
      }))
      const chain = blocks.map((block) =>
        block === first
          ? { ...block, transactions: [] }
          : block === second
            ? { ...block, transactions: [...block.transactions, ...moved] }
            : block,
      )
      const cluster = yield* standInCluster(chain)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(
          fence,
          chain.flatMap((block) => block.transactions),
        )
        yield* receiveTransactions(transactions)
        yield* fold(fence)
        const found = yield* round(fence)
        const count = first.transactions.filter(({ meta }) => meta.err === null).length
        assert.strictEqual(found.missing, count)
        assert.deepStrictEqual(yield* dropped, { "the chain has it in another slot": first.transactions.length })
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
