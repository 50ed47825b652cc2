import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HeliusUnavailable } from "../../src/helius/HeliusErrors.ts"
import { NodeError } from "../NodeParams.ts"
import { signatureOf, standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import { Bulk, reconciledBy } from "./BulkHistory.ts"
import { blocks, covered, digestOfAll, landed, LAST, ORIGIN, round, transactions, without } from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
const delivered = without(0.3, 1)
const lost = landed.filter((one) => !delivered.includes(one))

/** One round fetches all that was not delivered. */
const heals = Effect.gen(function* () {
  const fence = yield* lead
  const whole = yield* digestOfAll(fence)
  yield* receiveTransactions(delivered)
  yield* fold(fence)
  assert.deepInclude(yield* round(fence), { missing: lost.length, dropped: 0, problem: null })
  assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
  yield* fold(fence)
  assert.deepStrictEqual(yield* digest, whole)
})

describe("Reconciliation with whole transactions, oldest first", () => {
  it.live.each([3, 1_000])("fetches missing transactions (pages of %i)", (size) =>
    Effect.gen(function* () {
      const bulk = new Bulk(transactions, size)
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        yield* heals
        assert.strictEqual(bulk.pages, Math.ceil(transactions.length / size))
        assert.strictEqual(cluster.callsOf("getTransaction"), 0)
      }).pipe(Effect.provide(reconciledBy(bulk, cluster)))
    }),
  )

  it.live("fetches the transactions one by one where one of a newer version has its page refused", () =>
    Effect.gen(function* () {
      const bulk = new Bulk(transactions, 20)
      const unread = landed.find(({ slot }) => slot === ORIGIN + 20)!
      bulk.newer = unread
      const cluster = yield* standInCluster(blocks)
      cluster.answered.set(signatureOf(unread), new NodeError(-32015, "Transaction version (2) is not supported"))
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        yield* receiveTransactions(delivered.filter((one) => one !== unread))
        yield* fold(fence)
        assert.include((yield* round(fence)).problem, `${signatureOf(unread)} is refused by the endpoints`)
        assert.deepStrictEqual(yield* covered, [
          [0, 19],
          [21, SLOTS],
        ])
        // Those of the pages that it is on; behind them whole pages are asked for again.
        const asked = cluster.callsOf("getTransaction")
        assert.isBelow(asked, 60, `${landed.length} landed`)
        bulk.newer = undefined
        cluster.recover()
        assert.deepInclude(yield* round(fence), { problem: null })
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledBy(bulk, cluster)))
    }),
  )

  it.live.each(["too_large", "malformed"] as const)("goes on where one has its page fail as %s", (reason) =>
    Effect.gen(function* () {
      const bulk = new Bulk(transactions, 20)
      bulk.newer = landed.find(({ slot }) => slot === ORIGIN + 20)!
      bulk.failure = new HeliusUnavailable({ reason })
      const cluster = yield* standInCluster(blocks)
      yield* heals.pipe(Effect.provide(reconciledBy(bulk, cluster)))
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
