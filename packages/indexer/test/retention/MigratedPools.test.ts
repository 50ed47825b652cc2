import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { randomAddress } from "../../fixtures/GeneratedWorld.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { Reconciler } from "../../src/finality/Reconciler.ts"
import { followedPools } from "../../src/pools/FollowedPools.ts"
import { provenRange } from "../../src/pools/ProvenRange.ts"
import { replay } from "../../src/replay/Rebuild.ts"
import { reopenLog } from "../../src/retention/ReopenLog.ts"
import { sweepInbox } from "../../src/retention/Retention.ts"
import { gapsOf } from "../../src/sources/SlotRanges.ts"
import { digestOfAll, reconciledIndex } from "../finality/ReconciledIndex.ts"
import {
  blocks,
  later,
  LAST,
  MIGRATED,
  ORIGIN,
  poolRound,
  poolsCovered,
  proveAll,
  swaps,
  transactions,
  wholeUpTo,
} from "../pools/MigratedPools.ts"
import { signatureOf, standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead, receiveTransactions, testIndex } from "../TestIndex.ts"
import { originReported, pruned, slotsInLog } from "./SweptIndex.ts"

/** Everything but the newest segment is more than is kept. */
const NOTHING_KEPT = { inboxDays: 0 }
const FIRST_MIGRATED = Math.min(...MIGRATED.values())
const lost = swaps[Math.floor(swaps.length / 2)]!

describe("Of slots in which migrated pools trade", () => {
  it.live(
    "nothing is deleted before the pools are proven, and what was deleted is proven again once it is fetched",
    () =>
      Effect.gen(function* () {
        const cluster = yield* standInCluster(blocks)
        yield* Effect.gen(function* () {
          const sql = yield* SqlClient
          const fence = yield* lead
          const reconciler = yield* Reconciler
          const whole = yield* digestOfAll(fence, transactions)
          yield* originReported
          for (const block of blocks)
            yield* receiveTransactions(block.transactions.filter((one) => signatureOf(one) !== signatureOf(lost)))
          yield* fold(fence)
          yield* reconciler.round(BigInt(ORIGIN), fence)
          // The pools are not even followed yet.
          yield* sql`delete from followed_pools`
          yield* sweepInbox(NOTHING_KEPT, fence)
          assert.strictEqual((yield* pruned)?.toSlot, BigInt(FIRST_MIGRATED) - 1n)
          // Followed, and not proven.
          yield* reconciler.round(BigInt(ORIGIN), fence)
          yield* sweepInbox(NOTHING_KEPT, fence)
          assert.strictEqual((yield* pruned)?.toSlot, BigInt(FIRST_MIGRATED) - 1n)
          // Proven, and what was fetched for it not folded.
          assert.deepInclude(yield* poolRound(fence), { missing: 1, proven: 2 })
          yield* sweepInbox(NOTHING_KEPT, fence)
          assert.isBelow(Number((yield* pruned)!.toSlot), lost.slot)
          yield* fold(fence)
          yield* poolRound(fence)
          yield* reconciler.round(BigInt(ORIGIN), fence)
          yield* sweepInbox(NOTHING_KEPT, fence)
          const closed = Number((yield* pruned)!.toSlot)
          assert.isAbove(closed, lost.slot)
          // The newest segment stays, which is what was fetched.
          const kept = (yield* slotsInLog).transactions.filter((slot) => slot <= closed)
          assert.deepStrictEqual(kept, [lost.slot])
          assert.deepStrictEqual(yield* digest, whole)

          // Nothing of it comes back, and nothing is asked for.
          yield* receiveTransactions(transactions)
          yield* fold(fence)
          const { ofPools, ofProgram } = yield* proveAll(fence)
          assert.deepInclude(ofProgram, { missing: 0, dropped: 0 })
          assert.deepInclude(ofPools, { missing: 0, dropped: 0, problem: null })
          assert.deepStrictEqual(yield* digest, whole)

          // A pool that is followed only now is proven from where the log begins.
          yield* sql`delete from followed_pools`
          yield* sql`delete from coverage where pool <> ''`
          assert.deepInclude(yield* poolRound(fence), { problem: null, missing: 0 })
          for (const [[first]] of Object.values(yield* poolsCovered) as Array<[[number, number]]>)
            assert.strictEqual(first, closed + 1 - ORIGIN)

          yield* reopenLog(fence)
          yield* later
          yield* proveAll(fence)
          yield* proveAll(fence)
          assert.deepStrictEqual(yield* poolsCovered, wholeUpTo(LAST))
          assert.deepStrictEqual(yield* digest, whole)
          yield* replay(fence)
          assert.deepStrictEqual(yield* digest, whole)
        }).pipe(Effect.provide(reconciledIndex(cluster)))
      }),
  )

  it.live("a pool whose early history no endpoint has stops the deletion until an operator forgoes that history", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const fence = yield* lead
        const reconciler = yield* Reconciler
        const followed = followedPools(sql)
        yield* originReported
        for (const block of blocks) yield* receiveTransactions(block.transactions)
        yield* fold(fence)
        yield* reconciler.round(BigInt(ORIGIN), fence)
        const kept = Math.max(...MIGRATED.values()) + 2
        cluster.firstAvailableSlot = kept
        assert.include((yield* poolRound(fence)).problem, `history starts at slot ${kept}`)
        yield* sweepInbox(NOTHING_KEPT, fence)
        assert.strictEqual((yield* pruned)?.toSlot, BigInt(FIRST_MIGRATED) - 1n)
        assert.strictEqual(yield* followed.forgo(BigInt(kept), new Date()), MIGRATED.size)
        assert.strictEqual(yield* followed.forgo(BigInt(kept), new Date()), 0)
        // A round corrects from where pools are followed; this stays.
        assert.deepInclude(yield* poolRound(fence), { problem: null, failing: 0, proven: MIGRATED.size })
        yield* fold(fence)
        yield* poolRound(fence)
        yield* reconciler.round(BigInt(ORIGIN), fence)
        yield* sweepInbox(NOTHING_KEPT, fence)
        assert.isAtLeast(Number((yield* pruned)!.toSlot), kept)
        // What was forgone is claimed by no proof.
        for (const ranges of Object.values(yield* poolsCovered)) assert.strictEqual(ranges[0]![0], kept - ORIGIN)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("the log may go as far as every pool is proven without a gap, and folded", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const random = new SeededRandom(5)
      const [end, folded] = [100n, 10n]
      yield* sql`update indexer_progress set module_hash = 'modules', log_offset = ${folded}, slot = 1`
      yield* sql`insert into coverage values ('', 0, ${end}, 'rpc', now(), 0)`
      for (let times = 0; times < 60; times++) {
        yield* sql`truncate followed_pools`
        yield* sql`delete from coverage where pool <> ''`
        let expected = end
        for (let pools = random.below(4); pools > 0; pools--) {
          const [pool, from] = [randomAddress(random).text, BigInt(random.below(60))]
          const ranges: Array<{ fromSlot: bigint; toSlot: bigint; logOffset: bigint }> = []
          for (let next = from + BigInt(random.below(3) - 1); next <= end;) {
            const toSlot = next + BigInt(random.below(60))
            ranges.push({ fromSlot: next, toSlot, logOffset: random.chance(0.1) ? folded + 1n : folded })
            next = toSlot + (random.chance(0.2) ? 2n : 1n)
          }
          yield* sql`
            insert into followed_pools (pool, venue, from_slot, active_slot, followed_at, due_at)
            values (${pool}, 'damm_v2', ${from}, 1, now(), now())`
          for (const { fromSlot, logOffset, toSlot } of ranges)
            yield* sql`
              insert into coverage values (${pool}, ${fromSlot}, ${toSlot}, ${random.pick(["rpc", "helius"])}, now(),
                ${logOffset})`
          const proven = ranges.filter(({ logOffset }) => logOffset <= folded)
          const [gap] = gapsOf(proven, { fromSlot: from, toSlot: end })
          if (gap !== undefined && gap.fromSlot - 1n < expected) expected = gap.fromSlot - 1n
        }
        const found = yield* provenRange(sql).around(0n)
        assert.deepStrictEqual(found?.toSlot ?? -1n, expected)
      }
    }).pipe(Effect.provide(testIndex)),
  )
})
