import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IngestLog } from "../../src/inbox/IngestLog.ts"
import { Indexer } from "../../src/Indexer.ts"
import { isRebuildDue } from "../../src/replay/BeginReplay.ts"
import { rebuild } from "../../src/replay/Rebuild.ts"
import { leadIndexing } from "../../src/LeadIndexing.ts"
import { isSameDigest } from "../../src/replay/Digest.ts"
import { blocks as chain, digestOfAll, LAST, landed, ORIGIN, reconciledIndex } from "../finality/ReconciledIndex.ts"
import { until } from "../leader/Until.ts"
import { shadowProgress, stopAfter } from "../replay/StoppedReplay.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions, testIndex } from "../TestIndex.ts"
import { beginKeeping, blocks, FIRST, liveBounds, liveTree, provenTo } from "./PartitionedIndex.ts"
import { whileRead } from "./ReadersOf.ts"

const receiveFrom = (first: number, beyond: number) =>
  Effect.forEach(blocks.slice(first, beyond), ({ transactions }) => receiveTransactions(transactions), {
    discard: true,
  })

const SMALL_BATCHES = { batchTransactions: 20 }

describe("An index whose old trades are to leave", () => {
  it.live("gets its partitions at once when it has no rows, without a rebuild", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* beginKeeping(fence, 8)
      assert.isFalse(yield* isRebuildDue)
      assert.deepStrictEqual(yield* liveBounds(), [0n])
      assert.deepStrictEqual(yield* sql`select from cursors`, [])
      assert.deepStrictEqual(yield* sql`select from indexer_reports where name = 'replay'`, [])
      yield* receiveFrom(0, 40)
      yield* fold(fence)
      const [tree, tables] = [yield* liveTree, yield* digest]
      // Neither another beginning nor the setting's end changes them.
      yield* beginKeeping(fence, 8)
      yield* beginKeeping(fence, undefined)
      assert.isFalse(yield* isRebuildDue)
      assert.deepStrictEqual(yield* liveTree, tree)
      assert.deepStrictEqual(yield* digest, tables)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("is derived again beside following, while readers see every trade, and no error", () =>
    Effect.gen(function* () {
      const fence = yield* lead
      yield* receiveFrom(0, 20)
      yield* fold(fence)
      yield* provenTo(FIRST + 10)
      const { seen } = yield* whileRead(
        Effect.gen(function* () {
          yield* beginKeeping(fence, 8)
          assert.isTrue(yield* isRebuildDue)
          const context = yield* Effect.context<Indexer | IngestLog>()
          let next = 20
          const follow = Effect.suspend(() => {
            if (next >= 40) return Effect.void
            next += 2
            return Effect.provide(Effect.andThen(receiveFrom(next - 2, next), fold(fence)), context)
          })
          yield* rebuild(fence, () => follow, SMALL_BATCHES)
          assert.strictEqual(next, 40)
        }),
      )
      assert.isFalse(yield* isRebuildDue)
      assert.deepStrictEqual(yield* liveBounds(), [0, 299_808_000, 300_240_000, 300_672_000, 301_104_000].map(BigInt))
      for (const { bare, candles, oldest, trades } of seen) {
        assert.isAtLeast(trades, seen[0]!.trades)
        assert.isAtLeast(candles, seen[0]!.candles)
        assert.deepStrictEqual({ bare, oldest }, { bare: 0, oldest: seen[0]!.oldest })
      }
      assert.isAbove(seen.at(-1)!.trades, seen[0]!.trades)
      const found = yield* digest
      yield* Effect.gen(function* () {
        yield* receiveFrom(0, 40)
        yield* fold(yield* lead)
        assert.deepStrictEqual(yield* digest, found)
      }).pipe(Effect.provide(testIndex, { local: true }))
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("goes on with the next leader after the first one died; not when the setting is withdrawn", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const fence = yield* lead
      yield* receiveFrom(0, 40)
      yield* fold(fence)
      const tables = yield* digest
      const died = Effect.suspend(() => Effect.flip(rebuild(fence, stopAfter(3), SMALL_BATCHES)))
      yield* beginKeeping(fence, 8)
      yield* died
      const { transactions } = (yield* shadowProgress)!
      assert.isTrue(transactions > 0n)
      assert.deepStrictEqual(yield* liveTree, [])
      yield* beginKeeping(fence, 8)
      assert.strictEqual((yield* shadowProgress)!.transactions, transactions)
      yield* beginKeeping(fence, undefined)
      assert.isFalse(yield* isRebuildDue)
      assert.isUndefined(yield* shadowProgress)
      yield* beginKeeping(fence, 30)
      yield* died
      yield* beginKeeping(fence, 30)
      yield* rebuild(fence, undefined, SMALL_BATCHES)
      assert.isAbove((yield* liveTree).length, 6)
      assert.deepStrictEqual(yield* digest, tables)
      assert.lengthOf(yield* sql`select from cursors`, 1)
    }).pipe(Effect.provide(testIndex)),
  )

  it.live("is partitioned by its leader, which follows meanwhile", () =>
    Effect.gen(function* () {
      const cluster = (yield* standInCluster(chain)).finalize(LAST)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const whole = yield* digestOfAll(yield* lead, landed)
        yield* receiveTransactions(landed.slice(0, 100))
        yield* fold(yield* Effect.andThen(sql`delete from leases`, lead))
        yield* sql`delete from leases`
        yield* Effect.forkScoped(
          leadIndexing({
            ...{ holder: "first", network: "localnet", source: "webhook", leaseMillis: 3_000, reconcileMillis: 40 },
            ...{ originSlot: BigInt(ORIGIN), lookMillis: 20, retryMillis: 20, partitionMillis: 20 },
            retention: { tradesDays: 8 },
          }),
        )
        yield* until(Effect.map(liveTree, (tree) => tree.length > 0))
        yield* until(Effect.map(digest, (now) => isSameDigest(now, whole)))
        yield* until(Effect.map(liveBounds(), (bounds) => Number(bounds.at(-1)) > LAST + 400_000))
      }).pipe(Effect.scoped, Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
