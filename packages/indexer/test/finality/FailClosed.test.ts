import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type ProvenPage, Reconciler } from "../../src/finality/Reconciler.ts"
import { signatureOf, standInCluster, type StandInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import {
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
  roundAtLast,
  transactions,
  without,
} from "./ReconciledIndex.ts"

const SLOTS = LAST - ORIGIN
/** In the newest slot, one transaction was lost and one delivered. */
const delivered = without(0.3, 1).filter((one) => one !== landed.at(-1))
const lost = landed.filter((one) => !delivered.includes(one))
/** Every page has a transaction that has to be fetched. */
const forgeries = landed
  .filter((_, index) => index % 5 === 0)
  .map((one, index) => forged(one, { signature: randomSignature(100 + index) }))
const newest = delivered.findLast(({ meta }) => meta.err === null)!

/** Ways in which a chain answers incompletely about its newest slots. */
const FAULTS: Readonly<Record<string, (cluster: StandInCluster) => void>> = {
  "an error of the server": (cluster) => cluster.fail({ status: 500 }),
  "a rate limit": (cluster) => cluster.fail({ status: 429 }, { method: "getSignaturesForAddress" }),
  "an error of the node": (cluster) => cluster.fail({ code: -32603 }, { method: "getSignaturesForAddress" }),
  "a node that says it is behind": (cluster) => cluster.fail({ code: -32005 }, { method: "getSignaturesForAddress" }),
  "a node without history": (cluster) => cluster.fail({ code: -32011 }, { method: "getSignaturesForAddress" }),
  "no answer about the finalized slot": (cluster) => cluster.fail("hang", { method: "getSlot" }),
  "no answer about a transaction": (cluster) => cluster.fail("hang", { method: "getTransaction" }),
  "no answer about statuses": (cluster) => cluster.fail("hang", { method: "getSignatureStatuses" }),
  "statuses from a node that is behind": (cluster) => void (cluster.confirmedSlot = LAST - 1),
  "pages out of order": (cluster) => void (cluster.isDisordered = true),
  "a transaction that is on the chain but not listed": (cluster) => void cluster.omitted.add(signatureOf(newest)),
}

describe("From an incomplete history", () => {
  it.live.each(Object.entries(FAULTS))(
    "nothing is concluded: %s",
    ([, breakIt]) =>
      Effect.gen(function* () {
        const cluster = yield* standInCluster(blocks)
        yield* Effect.gen(function* () {
          const fence = yield* lead
          const whole = yield* digestOfAll(fence)
          yield* receiveTransactions([...delivered, ...forgeries])
          breakIt(cluster)
          const error = yield* Effect.flip(round(fence))
          assert.strictEqual(error._tag, "HistoryIncomplete")
          assert.deepStrictEqual(yield* covered, [])
          assert.deepStrictEqual(yield* dropped, {})
          cluster.recover()
          cluster.finalize(LAST)
          yield* roundAtLast(fence)
          assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
          yield* fold(fence)
          assert.deepStrictEqual(yield* digest, whole)
        }).pipe(Effect.provide(reconciledIndex(cluster)))
      }),
    { concurrent: true },
  )

  it.live("nothing is concluded about slots that the node itself has not finalized", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      cluster.finalizedSlot = LAST - 1
      yield* Effect.gen(function* () {
        const reconciler = yield* Reconciler
        const fence = yield* lead
        yield* receiveTransactions(forgeries)
        const interval = { fromSlot: BigInt(ORIGIN), toSlot: BigInt(LAST) }
        assert.include((yield* Effect.flip(reconciler.prove(interval, fence))).message, "Behind -32016")
        assert.deepStrictEqual(yield* covered, [])
        assert.deepStrictEqual(yield* dropped, {})
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("slots that the node has pruned are not proven, and those above are", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      cluster.firstAvailableSlot = ORIGIN + 20
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        yield* receiveTransactions([...delivered, ...forgeries])
        assert.include((yield* Effect.flip(round(fence))).message, `starts at slot ${ORIGIN + 20}`)
        assert.deepStrictEqual(yield* covered, [[21, SLOTS]])
        const gone = yield* sql`select slot from inbox_dropped where slot <= ${ORIGIN + 20}`
        assert.deepStrictEqual(gone, [])
        cluster.recover()
        yield* round(fence)
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("a page that is shorter than requested is not taken for the end", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      cluster.listedMax = 3
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        yield* receiveTransactions(delivered)
        assert.deepInclude(yield* round(fence), { missing: lost.length })
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("an empty page is not taken for the end when the node does not know the previous page", () =>
    Effect.gen(function* () {
      const [cluster, backup] = [yield* standInCluster(blocks), yield* standInCluster(blocks)]
      // It claims a full history, and lists only the newest.
      for (const one of transactions) if (one.slot < ORIGIN + 30) backup.put([{ slot: one.slot, transactions: [] }])
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const reconciler = yield* Reconciler
        const whole = yield* digestOfAll(fence, landed)
        const interval = { fromSlot: BigInt(ORIGIN), toSlot: BigInt(LAST) }
        const goDown = ({ range: { fromSlot } }: ProvenPage) =>
          Effect.sync(() => {
            if (Number(fromSlot) < ORIGIN + 20) cluster.fail({ status: 500 }, { method: "getSignaturesForAddress" })
          })
        const error = yield* Effect.flip(reconciler.prove(interval, fence, goDown))
        assert.include(error.message, "do not follow one another")
        const [[reached]] = (yield* covered) as [[number, number]]
        assert.isAbove(reached, 10)
        cluster.recover()
        yield* roundAtLast(fence)
        assert.deepStrictEqual(yield* covered, [[0, SLOTS]])
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster, backup)))
    }),
  )
})
