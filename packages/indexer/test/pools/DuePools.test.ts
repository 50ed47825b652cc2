import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { followedPools } from "../../src/pools/FollowedPools.ts"

const NOW = new Date("2026-11-24T00:00:00Z")

/** Minutes since it is due, below zero if it is not yet, and how active it was. */
const Pools = Schema.Array(
  Schema.Struct({
    dueMinutes: Schema.Int.check(Schema.isBetween({ minimum: -5, maximum: 500 })),
    activeSlot: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000 })),
  }),
).check(Schema.isMaxLength(40))

layer(TestDatabase.layer, { excludeTestServices: true })("Pools that are due", (it) => {
  it.effect.prop(
    "are the most active and the longest due in turn, each once, however few can be compared",
    [Pools, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 45 }))],
    ([pools, limit]) =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const rows = pools.map(({ activeSlot, dueMinutes }, at) => ({
          ...{ pool: `pool-${String(at).padStart(2, "0")}`, activeSlot, dueMinutes },
        }))
        yield* sql`truncate followed_pools`
        for (const { activeSlot, dueMinutes, pool } of rows)
          yield* sql`
            insert into followed_pools (pool, venue, from_slot, active_slot, followed_at, due_at)
            values (${pool}, 'damm_v2', 0, ${activeSlot}, ${NOW}, ${new Date(NOW.getTime() - dueMinutes * 60_000)})`
        const due = rows.filter(({ dueMinutes }) => dueMinutes >= 0)
        const names = (some: typeof due) => some.map(({ pool }) => pool)
        const active = names(due.toSorted((a, b) => b.activeSlot - a.activeSlot || (a.pool < b.pool ? -1 : 1)))
        const oldest = names(due.toSorted((a, b) => b.dueMinutes - a.dueMinutes || (a.pool < b.pool ? -1 : 1)))
        const found = (yield* followedPools(sql).due(NOW, limit)).map(({ pool }) => pool)
        assert.lengthOf(found, Math.min(limit, due.length))
        assert.lengthOf(new Set(found), found.length)
        assert.includeMembers(names(due), found)
        // Ties at the limit may go either way; the values do not.
        const valueOf = (of: "activeSlot" | "dueMinutes", pool: string) => rows.find((row) => row.pool === pool)![of]
        for (let count = 1; count <= found.length; count++) {
          const first = found.slice(0, count)
          const half = Math.floor(count / 2)
          const leastActive = half === 0 ? undefined : valueOf("activeSlot", active[half - 1]!)
          const leastDue = half === 0 ? undefined : valueOf("dueMinutes", oldest[half - 1]!)
          if (leastActive !== undefined)
            assert.isAtLeast(first.filter((pool) => valueOf("activeSlot", pool) >= leastActive).length, half)
          if (leastDue !== undefined)
            assert.isAtLeast(first.filter((pool) => valueOf("dueMinutes", pool) >= leastDue).length, half)
        }
      }),
  )
})
