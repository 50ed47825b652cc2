import { PoolDirectory, type PoolHint } from "@launch-registry/chain/launch/PoolDirectory"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** A deployment that was built here. */
export interface LaunchPool {
  readonly baseMint: string
  readonly configAddress: string
  readonly pool: string
}

/** Deployments built here: owner of `launch_pools`. */
export class LaunchPools extends Context.Service<
  LaunchPools,
  { readonly remember: (pool: LaunchPool) => Effect.Effect<void> }
>()("@launch-registry/server/launch/LaunchPools") {
  static readonly layer = Layer.effect(
    LaunchPools,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      return {
        remember: Effect.fn("LaunchPools.remember")(function* (pool: LaunchPool) {
          const row = { ...pool, createdAt: new Date(yield* Clock.currentTimeMillis) }
          yield* Effect.orDie(sql`insert into launch_pools ${sql.insert(row)} on conflict do nothing`)
        }),
      }
    }),
  )
}

/** Pools by mint, from what the indexer saw on chain, what was built here, and what clients said of their trades. */
export const poolDirectory = Layer.effect(
  PoolDirectory,
  Effect.gen(function* () {
    const sql = yield* SqlClient

    const find = Effect.fn("PoolDirectory.find")(function* (baseMint: string) {
      const rows = yield* sql<{ readonly pool: string; readonly config: string | null }>`
        select pool, config from dbc_pools where base_mint = ${baseMint}
        union all
        (select pool, config_address from launch_pools where base_mint = ${baseMint}
          order by created_at limit 8)
        union all
        (select pool_address, null from transactions where base_token = ${baseMint} and deleted_at is null
          order by created_at desc, id desc limit 1)`.pipe(Effect.orDie)
      return rows.map(({ config, pool }): PoolHint => (config === null ? { pool } : { pool, config }))
    })

    return { find }
  }),
)
