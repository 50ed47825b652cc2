import { assert, describe, it } from "@effect/vitest"
import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { forkOf } from "../../fixtures/ForkBlock.ts"
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
  without,
} from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
const swap = landed[100]!
const failure = transactions.find(({ meta, slot }) => meta.err !== null && slot > ORIGIN + 5)!

/** A transaction that is on the chain and has nothing to do with the program. */
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
  "it is not of the program": 1,
  "the chain does not know it": 1,
  "the chain has it in another slot": 1,
}
/** One for each of the reasons: all of them say that something was traded. */
const forgeries = [
  forged(swap, { signature: signatureOf(failure), slot: failure.slot }),
  forged(swap, { signature: signatureOf(foreign) }),
  forged(swap, { signature: randomSignature(2) }),
  forged(swap, { slot: swap.slot + 3 }),
]

describe("What was delivered and is not on the chain", () => {
  it.live("is taken back, whether the tables have it already or not", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(withForeign)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        yield* receiveTransactions([...forgeries.slice(0, 2), ...transactions])
        yield* fold(fence)
        yield* receiveTransactions(forgeries.slice(2))
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 4 })
        assert.deepStrictEqual(yield* dropped, REASONS)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("is found in the next round where it comes to slots that are proven already", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(withForeign)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        // The failed one is left for the forger to be the first to deliver.
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

  it.live("is found in slots that nobody is going to prove: below the origin, and far beyond the end", () =>
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

  it.live("leaves alone what is a little ahead of finality: the block may still be finalized", () =>
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

  it.live("does not lead astray where to begin below what is proven", () =>
    Effect.gen(function* () {
      // What is forged there is the lowest that the log has above what is to be proven.
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
          // Lies at the very bottom: beginning there, all above would seem to be empty.
          forged(real[1]!, { slot: ORIGIN + 30 }),
          // Lies nowhere: nodes list nothing then.
          forged(swap, { signature: randomSignature(5), slot: ORIGIN + 25 }),
        ]
        for (const place of places) {
          yield* receiveTransactions([place])
          // As when the stretch has grown by another proof meanwhile.
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

describe("A fork that was dropped", () => {
  it.live("is taken back, and what the chain has instead is fetched", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        const forks = blocks.map((block, index) => (index % 3 === 1 ? forkOf(block, index).block : block))
        const delivered = forks.flatMap((block) => block.transactions)
        yield* receiveTransactions(without(0.1, 3, delivered))
        yield* fold(fence)
        assert.notDeepEqual(yield* digest, whole)
        const { dropped: gone, missing } = yield* round(fence)
        assert.isAbove(gone, 10)
        assert.isAbove(missing, 10)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("is taken back when its transactions landed again, in another slot", () =>
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
