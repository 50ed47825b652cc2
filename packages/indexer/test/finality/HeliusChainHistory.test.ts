import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import { Bulk, reconciledBy } from "./BulkHistory.ts"
import { blocks, covered, digestOfAll, landed, LAST, ORIGIN, round, transactions, without } from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
const delivered = without(0.3, 1)
const lost = landed.filter((one) => !delivered.includes(one))

describe("Reconciliation with whole transactions, oldest first", () => {
  it.live.each([3, 1_000])("fetches missing transactions (pages of %i)", (size) =>
    Effect.gen(function* () {
      const bulk = new Bulk(transactions, size)
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        yield* receiveTransactions(delivered)
        yield* fold(fence)
        assert.deepInclude(yield* round(fence), { missing: lost.length, dropped: 0 })
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.strictEqual(bulk.pages, Math.ceil(transactions.length / size))
        assert.strictEqual(cluster.callsOf("getTransaction"), 0)
      }).pipe(Effect.provide(reconciledBy(bulk, cluster)))
    }),
  )

  it.live("stops proving at pages that do not follow one another", () =>
    Effect.gen(function* () {
      const half = Math.floor(transactions.length / 2)
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const error = yield* Effect.flip(round(fence))
        assert.include(error.message, "do not follow one another")
        const [[first, last]] = (yield* covered) as [[number, number]]
        assert.strictEqual(first, 0)
        assert.isBelow(last, transactions[half]!.slot - ORIGIN)
      }).pipe(Effect.provide(reconciledBy(new Bulk([...transactions.slice(0, half), ...transactions], half), cluster)))
    }),
  )
})
