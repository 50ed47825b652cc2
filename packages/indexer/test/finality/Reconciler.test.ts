import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Reconciler } from "../../src/finality/Reconciler.ts"
import { IngestLog } from "../../src/inbox/IngestLog.ts"
import { signatureOf, standInCluster } from "../StandInCluster.ts"
import { follower } from "../../src/sources/Follower.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import {
  between,
  blocks,
  covered,
  digestOfAll,
  dropped,
  LAST,
  landed,
  ORIGIN,
  reconciledIndex,
  round,
  roundAtLast,
  coverageRows,
  transactions,
  without,
} from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
const LISTING = "getSignaturesForAddress"

describe("Reconciliation", () => {
  it.live.each([false, true])("fetches missing transactions (nodes that return the index: %s)", (tellsIndex) =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      cluster.tellsIndex = tellsIndex
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        const delivered = without(0.3, 1)
        yield* receiveTransactions(delivered)
        yield* fold(fence)
        const first = yield* round(fence)
        const lost = landed.filter((one) => !delivered.includes(one))
        assert.isAbove(lost.length, 50)
        assert.deepInclude(first, { missing: lost.length, dropped: 0, finalizedSlot: BigInt(LAST) })
        assert.isAbove(first.proven.length, 10)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
        assert.strictEqual(cluster.callsOf("getBlock") > 0, !tellsIndex)
        const listings = cluster.callsOf(LISTING)
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0, proven: [] })
        assert.strictEqual(cluster.callsOf(LISTING), listings)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("keeps what is not finalized yet, and failed transactions that were delivered as failed", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      cluster.finalizedSlot = ORIGIN + 20
      yield* Effect.gen(function* () {
        const fence = yield* lead
        yield* receiveTransactions(transactions)
        yield* fold(fence)
        const before = yield* digest
        assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0 })
        assert.deepStrictEqual(yield* covered, [[0, 20]])
        assert.deepStrictEqual(yield* dropped, {})
        assert.deepStrictEqual(yield* digest, before)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live(
    "keeps all that is delivered while finality stands still, and proves it in steps when it leaps by thousands",
    () =>
      Effect.gen(function* () {
        const STANDSTILL = 3_000
        const later = (slot: number) => (slot > ORIGIN + 20 ? slot + STANDSTILL : slot)
        const spread = blocks.map(({ slot, transactions: all }) => ({
          slot: later(slot),
          transactions: all.map((one) => ({ ...one, slot: later(slot) })),
        }))
        const all = spread.flatMap((block) => block.transactions)
        const cluster = yield* standInCluster(spread)
        cluster.finalizedSlot = ORIGIN + 20
        // The node is two slots behind the one that delivers.
        cluster.confirmedSlot = LAST + STANDSTILL - 2
        yield* Effect.gen(function* () {
          const fence = yield* lead
          const whole = yield* digestOfAll(fence, all)
          yield* receiveTransactions(all)
          yield* fold(fence)
          for (let time = 0; time < 3; time++) {
            assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0, problem: null })
            assert.deepStrictEqual(yield* covered, [[0, 20]])
            assert.deepStrictEqual(yield* digest, whole)
          }
          cluster.finalize(LAST + STANDSTILL)
          const { proven } = yield* round(fence)
          assert.isAbove(proven.length, 5)
          assert.deepStrictEqual(yield* covered, [[0, SLOTS + STANDSTILL]])
          assert.deepStrictEqual(yield* dropped, {})
          assert.deepStrictEqual(yield* digest, whole)
        }).pipe(Effect.provide(reconciledIndex(cluster)))
      }),
  )

  it.live("reverts what was in slots that the chain discards and uses again, and nothing that is finalized", () =>
    Effect.gen(function* () {
      const GENESIS = 20
      const cluster = yield* standInCluster(blocks)
      cluster.finalizedSlot = ORIGIN + GENESIS
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const poll = yield* follower
        // Every transaction lands three slots later, but the last ones, which do not land at all.
        const kept = blocks.filter(({ slot }) => slot <= ORIGIN + GENESIS)
        const again = blocks.slice(kept.length).map(({ slot }, index) => {
          const own = index < 3 ? [] : blocks[kept.length + index - 3]!.transactions
          return { slot, transactions: own.map((one) => ({ ...one, slot })) }
        })
        const whole = yield* digestOfAll(
          fence,
          [...kept, ...again].flatMap((block) => block.transactions),
        )
        yield* poll
        yield* fold(fence)
        yield* round(fence)
        const proven = yield* coverageRows
        // The cluster goes on from its last finalized slot, and its nodes are below the slots that they had reached.
        cluster.put(again)
        for (const reached of [GENESIS + 1, GENESIS + 5, SLOTS]) {
          cluster.confirmedSlot = ORIGIN + reached
          cluster.finalizedSlot = ORIGIN + reached
          yield* Effect.retry(poll, { times: 100 })
          yield* fold(fence)
          yield* roundAtLast(fence)
          assert.deepStrictEqual(yield* covered, [[0, reached]])
        }
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        const reverted = yield* SqlClient
        const [{ count }] = (yield* reverted`
          select count(*)::integer as count from inbox_dropped where slot <= ${ORIGIN + GENESIS}`) as [
          { count: number },
        ]
        assert.strictEqual(count, 0)
        assert.isAbove(Object.keys(yield* dropped).length, 0)
        assert.strictEqual((yield* coverageRows)[0]!.fromSlot, proven[0]!.fromSlot)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("covers folded slots with one range, over any number of rounds", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const log = yield* IngestLog
        const whole = yield* digestOfAll(fence)
        for (let finalized = -1; finalized < SLOTS; finalized += 4) {
          cluster.finalizedSlot = ORIGIN + finalized
          const fresh = between(finalized - 3, finalized)
          yield* receiveTransactions(without(0.2, finalized, fresh))
          yield* round(fence)
          assert.deepStrictEqual(yield* covered, finalized < 0 ? [] : [[0, finalized]])
          if (finalized % 3 === 0) yield* fold(fence)
        }
        cluster.finalize(LAST)
        yield* round(fence)
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        yield* round(fence)
        const [only, ...more] = yield* coverageRows
        assert.deepStrictEqual(more, [])
        assert.deepInclude(only, { fromSlot: BigInt(ORIGIN), toSlot: BigInt(LAST), logOffset: yield* log.head })
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("continues after an interruption between pages", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const reconciler = yield* Reconciler
        const whole = yield* digestOfAll(fence)
        const interval = { fromSlot: BigInt(ORIGIN), toSlot: BigInt(LAST) }
        let pages = 0
        const killed = yield* Effect.exit(
          reconciler.prove(interval, fence, () => (++pages === 8 ? Effect.interrupt : Effect.void)),
        )
        assert.strictEqual(killed._tag, "Failure")
        const [[reached, last]] = (yield* covered) as [[number, number]]
        assert.isAbove(reached, 0)
        assert.strictEqual(last, SLOTS)
        const listings = cluster.callsOf(LISTING)
        const { missing } = yield* round(fence)
        assert.strictEqual(missing, between(0, reached - 1).filter(({ meta }) => meta.err === null).length)
        // Not from the top again: at most the interrupted page, and the one that shows the end.
        const rest = transactions.filter(({ slot }) => slot < ORIGIN + reached).length
        assert.isAtMost(cluster.callsOf(LISTING) - listings, Math.ceil(rest / 9) + 2)
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("begins below proven slots, at a transaction that is on the chain", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const reconciler = yield* Reconciler
        const slots = (first: number, last: number) => ({
          fromSlot: BigInt(ORIGIN + first),
          toSlot: BigInt(ORIGIN + last),
        })
        yield* reconciler.prove(slots(20, SLOTS), fence)
        const before = cluster.callsOf(LISTING)
        yield* reconciler.prove(slots(17, 19), fence)
        assert.isAtMost(cluster.callsOf(LISTING) - before, Math.ceil(between(17, 19).length / 9) + 1)
        assert.deepStrictEqual(yield* covered, [[17, SLOTS]])
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("pages through slots that are larger than a page", () =>
    Effect.gen(function* () {
      const all = transactions.map((one, index) => ({
        ...one,
        slot: index < 5 ? ORIGIN : index < 35 ? ORIGIN + 1 : ORIGIN + 2,
        indexWithinBlock: index,
      }))
      const sizes = [0, 1, 2].map((number) => all.filter(({ slot }) => slot === ORIGIN + number))
      const cluster = yield* standInCluster(sizes.map((own, number) => ({ slot: ORIGIN + number, transactions: own })))
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence, all)
        assert.deepInclude(yield* round(fence), { missing: landed.length })
        assert.deepStrictEqual(yield* covered, [[0, 2]])
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.strictEqual(new Set(all.map(signatureOf)).size, all.length)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
