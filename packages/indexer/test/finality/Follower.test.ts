import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { forkOf } from "../../fixtures/ForkBlock.ts"
import { IngestLog } from "../../src/inbox/IngestLog.ts"
import { followerWith } from "../../src/sources/Follower.ts"
import { NodeError } from "../NodeParams.ts"
import { signatureOf, standInCluster } from "../StandInCluster.ts"
import { digest, fold, lead } from "../TestIndex.ts"
import { completeAll, poisonLeft } from "./CompletedIndex.ts"
import { blocks, digestOfAll, LAST, landed, ORIGIN, reconciledIndex } from "./ReconciledIndex.ts"

const PAGE_SIZE = 10
const TRANSACTION = "getTransaction"

/** Signatures in the log, with repetitions. */
const received = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly signature: string }>`
    select signature from inbox_transactions order by log_offset, position`
  return rows.map(({ signature }) => signature)
})

const landedUpTo = (slot: number) => landed.filter((one) => one.slot <= slot).map(signatureOf)

describe("Following the chain", () => {
  it.live("appends newly confirmed transactions once, in the order of the chain, over any number of pages", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      cluster.finalizedSlot = ORIGIN - 1
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const whole = yield* digestOfAll(fence)
        const poll = yield* followerWith({ pageSize: PAGE_SIZE })
        // From one page to all remaining ones.
        for (const slot of [ORIGIN, ORIGIN + 1, ORIGIN + 2, ORIGIN + 10, ORIGIN + 11, LAST]) {
          cluster.confirmedSlot = slot
          yield* poll
          assert.deepStrictEqual(yield* received, landedUpTo(slot))
          assert.strictEqual(yield* poll, 0)
        }
        // Nothing was fetched twice, and no failed transaction.
        assert.strictEqual(cluster.callsOf(TRANSACTION), landed.length)
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("begins with the newest page only", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const poll = yield* followerWith({ pageSize: PAGE_SIZE })
        assert.isAtMost(yield* poll, PAGE_SIZE)
        assert.deepStrictEqual(yield* received, landedUpTo(LAST).slice(-(yield* received).length))
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("continues when the newest known transaction was on a dropped fork", () =>
    Effect.gen(function* () {
      const number = 20
      const block = blocks[number]!
      const { block: fork } = forkOf(block, 6)
      const newest = fork.transactions.at(-1)!
      assert.notInclude(block.transactions, newest)
      const cluster = yield* standInCluster([...blocks.slice(0, number), fork])
      yield* Effect.gen(function* () {
        const poll = yield* followerWith({ pageSize: PAGE_SIZE })
        yield* poll
        assert.strictEqual((yield* received).at(-1), signatureOf(newest))
        cluster.put(blocks).finalize(LAST)
        assert.isAbove(yield* poll, 0)
        const signatures = yield* received
        for (const one of landed)
          if (one.slot >= block.slot) assert.include(signatures, signatureOf(one), `${one.slot - ORIGIN}`)
        assert.strictEqual(new Set(signatures).size, signatures.length)
        // From there on, only new transactions are fetched.
        const before = cluster.callsOf(TRANSACTION)
        assert.strictEqual(yield* poll, 0)
        assert.strictEqual(cluster.callsOf(TRANSACTION), before)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("appends nothing of a failed poll, and all of it with the next one", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      cluster.confirmedSlot = ORIGIN + 3
      cluster.finalizedSlot = ORIGIN
      yield* Effect.gen(function* () {
        const log = yield* IngestLog
        const poll = yield* followerWith({ pageSize: PAGE_SIZE })
        yield* poll
        const head = yield* log.head
        cluster.confirmedSlot = LAST
        cluster.isDisordered = true
        assert.include((yield* Effect.flip(poll)).message, "not listed from the newest to the oldest")
        assert.strictEqual(yield* log.head, head)
        cluster.recover()
        yield* poll
        const signatures = yield* received
        assert.deepStrictEqual(signatures, landedUpTo(LAST).slice(-signatures.length))
        assert.includeMembers(signatures, landedUpTo(LAST).slice(landedUpTo(ORIGIN + 3).length))
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("goes on where no endpoint gives any, and fetches them once one does", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      for (const one of landed) cluster.withheld.add(signatureOf(one))
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const poll = yield* followerWith({ pageSize: 20 })
        const noted = yield* poll
        assert.isAbove(noted, 10)
        assert.lengthOf(yield* poisonLeft, noted)
        const asked = cluster.callsOf(TRANSACTION)
        assert.strictEqual(yield* poll, 0)
        assert.strictEqual(cluster.callsOf(TRANSACTION), asked)
        cluster.recover()
        yield* completeAll(fence)
        assert.sameMembers(yield* received, landedUpTo(LAST).slice(-noted))
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("does not wait for one that no endpoint gives, and fetches it once one does", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      const [absent, refused] = [landed.at(-1)!, landed.at(-2)!]
      cluster.withheld.add(signatureOf(absent))
      cluster.answered.set(signatureOf(refused), new NodeError(-32015, "Transaction version (2) is not supported"))
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const poll = yield* followerWith({ pageSize: PAGE_SIZE })
        yield* poll
        const unread = [refused, absent].map(signatureOf)
        const given = yield* received
        const listed = landedUpTo(LAST).slice(-given.length - unread.length)
        assert.deepStrictEqual([...given, ...unread], listed)
        assert.sameMembers(
          (yield* poisonLeft).map(({ reason }) => reason),
          [
            "listed but not available",
            "refused by the endpoints (Rejected -32015: Transaction version (2) is not supported)",
          ],
        )
        assert.strictEqual(yield* poll, 0)
        cluster.recover()
        yield* completeAll(fence)
        assert.sameMembers(yield* received, listed)
        assert.deepStrictEqual(yield* poisonLeft, [])
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
