import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { altered } from "../finality/AlteredTransaction.ts"
import { Bulk, reconciledBy } from "../finality/BulkHistory.ts"
import { digestOfAll, dropped } from "../finality/ReconciledIndex.ts"
import { signatureOf, standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions } from "../TestIndex.ts"
import {
  blocks,
  LAST,
  later,
  poolRound,
  poolsCovered,
  proveAll,
  swaps,
  transactions,
  wholeUpTo,
} from "./MigratedPools.ts"

const REASON = "its contents differ from the chain's"
const [spoilt, moved, lost] = [swaps[10]!, swaps[20]!, swaps[30]!]
const FORGERIES = [altered(spoilt, "another block time")!, altered(moved, "a failure")!]
const taken = new Set([...FORGERIES, lost].map(signatureOf))

describe("With whole transactions, the proof of a pool", () => {
  for (const size of [7, 1_000])
    it.live(`replaces swaps that were delivered with other contents (pages of ${size})`, () =>
      Effect.gen(function* () {
        const cluster = yield* standInCluster(blocks)
        const bulk = new Bulk(transactions, size)
        yield* Effect.gen(function* () {
          const fence = yield* lead
          const whole = yield* digestOfAll(fence, transactions)
          yield* receiveTransactions([...FORGERIES, ...transactions.filter((one) => !taken.has(signatureOf(one)))])
          yield* fold(fence)
          assert.isFalse(isSameDigest(yield* digest, whole))
          const { ofPools, ofProgram } = yield* proveAll(fence)
          assert.deepInclude(ofProgram, { missing: 0, dropped: 0 })
          assert.deepInclude(ofPools, { missing: 1, dropped: 2, problem: null })
          assert.deepStrictEqual(yield* digest, whole)
          assert.deepStrictEqual(yield* dropped, { [REASON]: 2 })
          assert.deepStrictEqual(yield* poolsCovered, wholeUpTo(LAST))
          assert.strictEqual(cluster.callsOf("getTransaction"), 0)
          // That nothing has landed since is asked of a node, at a hundredth of the price.
          const pages = bulk.pages
          cluster.finalize(LAST + 10)
          yield* later
          yield* poolRound(fence)
          assert.strictEqual(bulk.pages, pages)
          assert.deepStrictEqual(yield* poolsCovered, wholeUpTo(LAST + 10))
        }).pipe(Effect.provide(reconciledBy(bulk, cluster)))
      }),
    )
})
