import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { lead } from "../TestIndex.ts"
import { followedPools } from "../../src/pools/FollowedPools.ts"
import { followerWith } from "../../src/sources/Follower.ts"
import { digestOfAll, reconciledIndex } from "../finality/ReconciledIndex.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, fold } from "../TestIndex.ts"
import { blocks, LAST, landed, MIGRATED, ORIGIN, swaps } from "./MigratedPools.ts"

describe("Polling an RPC endpoint", () => {
  it.live("appends swaps on migrated pools once, from the migration on, also after a restart", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      cluster.finalizedSlot = ORIGIN - 1
      yield* Effect.gen(function* () {
        const fence = yield* lead
        const sql = yield* SqlClient
        const whole = yield* digestOfAll(fence, landed)
        const followed = followedPools(sql)
        const start = followerWith({ pageSize: 10, pools: followed.toFollow(64) })
        let poll = yield* start
        const restarts = [...MIGRATED.values()].map((slot) => slot + 3)
        for (let slot = ORIGIN; slot <= LAST; slot++) {
          cluster.confirmedSlot = slot
          if (restarts.includes(slot)) poll = yield* start
          yield* poll
          yield* fold(fence)
          yield* followed.follow(fence)
        }
        yield* poll
        yield* fold(fence)
        assert.deepStrictEqual(yield* digest, whole)
        assert.isAbove(swaps.length, 50)
        const before = cluster.callsOf("getTransaction")
        assert.strictEqual(yield* poll, 0)
        assert.strictEqual(cluster.callsOf("getTransaction"), before)
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )

  it.live("asks for a few pools at a time, and for each of them in turn", () =>
    Effect.gen(function* () {
      const cluster = yield* standInCluster(blocks)
      yield* Effect.gen(function* () {
        const asked: Array<string> = []
        cluster.onListing = (address) => void asked.push(address)
        const pools = blocks
          .flatMap((block) => block.transactions)
          .slice(0, 20)
          .map((one) => one.transaction.message.accountKeys[0]!)
        const all = [...new Set(pools)].map((pool) => ({ pool, newest: undefined }))
        assert.isAbove(all.length, 10)
        const poll = yield* followerWith({ pageSize: 1, pools: Effect.succeed(all) })
        yield* poll
        const first = asked.length
        assert.isAtMost(first, 9)
        for (let times = 0; times < all.length; times++) yield* poll
        assert.includeMembers(
          asked,
          all.map(({ pool }) => pool),
        )
      }).pipe(Effect.provide(reconciledIndex(cluster)))
    }),
  )
})
