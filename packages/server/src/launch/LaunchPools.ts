import { PoolDirectory, type PoolHint } from "@launch-registry/chain/pools/PoolDirectory"
import type { LaunchMetadata } from "@launch-registry/domain/launch/LaunchRequests"
import { PgClient } from "@effect/sql-pg/PgClient"
import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** A deployment that was built here. */
export interface LaunchPool {
  readonly baseMint: string
  readonly configAddress: string
  readonly pool: string
  readonly signer: string
  /** Of the metadata document, as the transaction has it. */
  readonly uri: string
  readonly metadata: LaunchMetadata
}

/**
 * Deployments built here: owner of `launch_deployments`. The metadata sent with a deployment is added to the token once
 * the launch is on chain. What never lands is swept (`BuiltLaunchSweep`).
 */
export class LaunchPools extends Context.Service<
  LaunchPools,
  { readonly remember: (pool: LaunchPool) => Effect.Effect<void> }
>()("@launch-registry/server/launch/LaunchPools") {
  static readonly layer = Layer.effect(
    LaunchPools,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { json } = yield* PgClient
      const remember = Effect.fn("LaunchPools.remember")(function* (built: LaunchPool) {
        const { baseMint, configAddress, pool, signer, uri } = built
        const { name, symbol, ...metadata } = built.metadata
        const createdAt = new Date(yield* Clock.currentTimeMillis)
        const texts = { name, symbol, metadata: json(metadata) }
        const row = { baseMint, signer, uri, configAddress, pool, ...texts, createdAt }
        yield* Effect.orDie(sql`insert into launch_deployments ${sql.insert(row)} on conflict do nothing`)
      })
      return { remember }
    }),
  )
}

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
