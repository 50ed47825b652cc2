import { assert, describe, it } from "@effect/vitest"
import { missingPart } from "@launch-registry/chain/events/MissingPart"
import type { RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Effect } from "effect"
import { HeliusUnavailable } from "../../src/helius/HeliusErrors.ts"
import { CUTS } from "../CutBodies.ts"
import { NodeError } from "../NodeParams.ts"
import { signatureOf, standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import { Bulk, reconciledBy } from "./BulkHistory.ts"
import {
  anHourLater,
  blocks,
  covered,
  digestOfAll,
  landed,
  LAST,
  ORIGIN,
  round,
  transactions,
  without,
} from "./ReconciledIndex.ts"

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
        assert.deepInclude(yield* anHourLater(round(fence)), { problem: null })
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledBy(bulk, cluster)))
    }),
  )

  it.live(
    "proves one that no endpoint gives from a log that has it whole, on a page of signatures and on a whole one",
    () =>
      Effect.gen(function* () {
        const unread = landed.find(({ slot }) => slot === ORIGIN + 20)!
        const cut = landed.find(
          (one) => one.slot === ORIGIN + 40 && missingPart(CUTS["no inner instructions"](one)) !== undefined,
        )!
        const bulk = new Bulk(
          transactions.map((one) => (one === cut ? (CUTS["no inner instructions"](one) as RawTransaction) : one)),
          20,
        )
        bulk.newer = unread
        const cluster = yield* standInCluster(blocks)
        for (const one of [unread, cut]) cluster.withheld.add(signatureOf(one))
        yield* Effect.gen(function* () {
          const fence = yield* lead
          yield* receiveTransactions(transactions)
          yield* fold(fence)
          assert.deepInclude(yield* round(fence), { missing: 0, dropped: 0, problem: null })
          assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
          assert.isAbove(cluster.callsOf("getTransaction"), 0)
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
