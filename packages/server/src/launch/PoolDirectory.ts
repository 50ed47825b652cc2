import { PositionDirectory } from "@launch-registry/chain/claims/PositionDirectory"
import { PoolDirectory, type PoolHint } from "@launch-registry/chain/pools/PoolDirectory"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Pools by mint: indexed, built here, or named in the trades of clients. */
export const poolDirectory = Layer.effect(
  PoolDirectory,
  Effect.gen(function* () {
    const sql = yield* SqlClient

    const find = Effect.fn("PoolDirectory.find")(function* (baseMint: string) {
      const rows = yield* sql<{ readonly pool: string; readonly config: string | null }>`
        select pool, config from dbc_pools where base_mint = ${baseMint}
        union all
        (select pool, config_address from launch_deployments where base_mint = ${baseMint}
          group by pool, config_address order by min(created_at) limit 8)
        union all
        (select pool_address, null from transactions where base_token = ${baseMint} and deleted_at is null
          order by created_at desc, id desc limit 1)`.pipe(Effect.orDie)
      return rows.map(({ config, pool }): PoolHint => (config === null ? { pool } : { pool, config }))
    })

    return { find }
  }),
)

/** Positions of migrations as the index has them; those that another version has indexed are without. */
export const migrationPositions = Layer.effect(
  PositionDirectory,
  Effect.gen(function* () {
    const sql = yield* SqlClient

    const find = Effect.fn("PositionDirectory.find")(function* (baseMint: string) {
      const [row] = yield* sql<{ readonly first: string | null; readonly second: string | null }>`
        select e.facts ->> 'firstPositionMint' as first, e.facts ->> 'secondPositionMint' as second
        from dbc_pools p
        cross join lateral (
          select facts from dbc_events
          where pool = p.pool and type = 'PoolMigrated' order by ordinal, signature limit 1
        ) e
        where p.base_mint = ${baseMint} and jsonb_exists(e.facts, 'firstPositionMint')
        limit 1`.pipe(Effect.orDie)
      return row && [row.first, row.second].filter((mint) => mint !== null)
    })

    return { find }
  }),
)
