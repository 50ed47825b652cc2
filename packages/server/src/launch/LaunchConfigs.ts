import type { ConfigFacts } from "@launch-registry/chain/launches/ConfigStep"
import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import type { LaunchMetadata } from "@launch-registry/domain/launch/LaunchRequests"
import type { Launchpad } from "@launch-registry/domain/tokens/Token"
import { PgClient } from "@effect/sql-pg/PgClient"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** A configuration that was built here. */
export interface LaunchConfig extends ConfigFacts {
  readonly configAddress: string
  readonly signer: string
  readonly launchpad: Launchpad
  /** The complete configuration, with the accounts that it names. */
  readonly dbcConfig: DbcConfig
  /** Of the token that it was built for. */
  readonly metadata: LaunchMetadata
}

/**
 * Configurations built here: writer of `launch_configs`, as `LearnCurves` is. With them a deployment can be built before its configuration
 * has landed, and a launched token gets its configuration. Secret keys are never stored. What never lands is swept (`BuiltLaunchSweep`).
 */
export class LaunchConfigs extends Context.Service<
  LaunchConfigs,
  {
    readonly remember: (config: LaunchConfig) => Effect.Effect<void>
    /** As it was built. What is on chain under its key may be another one. */
    readonly find: (configAddress: string) => Effect.Effect<Option.Option<ConfigFacts>>
  }
>()("@launch-registry/server/launch/LaunchConfigs") {
  static readonly layer = Layer.effect(
    LaunchConfigs,
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { json } = yield* PgClient

      const remember = Effect.fn("LaunchConfigs.remember")(function* (config: LaunchConfig) {
        const { configAddress, launchpad, quoteMint, signer, tokenDecimal: tokenDecimals, tokenType } = config
        const createdAt = new Date(yield* Clock.currentTimeMillis)
        const documents = { dbcConfig: json(config.dbcConfig), metadata: json(config.metadata) }
        const row = { configAddress, signer, launchpad, quoteMint, tokenType, tokenDecimals, ...documents, createdAt }
        yield* Effect.orDie(sql`insert into launch_configs ${sql.insert(row)}`)
      })

      const find = Effect.fn("LaunchConfigs.find")(function* (configAddress: string) {
        // The fee is kept in SOL, as it was sent; the program counts whole lamports.
        const [row] = yield* sql<Omit<ConfigFacts, "poolCreationFee"> & { readonly poolCreationFee: string }>`
          select quote_mint, token_type, token_decimals as token_decimal,
            trunc(coalesce((dbc_config ->> 'poolCreationFee')::numeric, 0) * 1000000000)::text as pool_creation_fee
          from launch_configs where config_address = ${configAddress} and signer is not null`.pipe(Effect.orDie)
        return Option.map(Option.fromNullishOr(row), (found) => ({
          ...found,
          poolCreationFee: BigInt(found.poolCreationFee),
        }))
      })

      return LaunchConfigs.of({ remember, find })
    }),
  )
}
