import type { ConfigFacts } from "@launch-registry/chain/launches/ConfigStep"
import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import type { LaunchMetadata } from "@launch-registry/domain/launch/LaunchRequests"
import type { Launchpad } from "@launch-registry/domain/tokens/Token"
import { PgClient } from "@effect/sql-pg/PgClient"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** A configuration that was built here. */
export interface BuiltConfig extends ConfigFacts {
  readonly configAddress: string
  readonly signer: string
  readonly launchpad: Launchpad
  /** The complete configuration, with the accounts that it names. */
  readonly dbcConfig: DbcConfig
  /** Of the token that it was built for. */
  readonly metadata: LaunchMetadata
}

/** A deployment that was built here. */
export interface BuiltDeployment {
  readonly baseMint: string
  readonly configAddress: string
  readonly pool: string
  readonly signer: string
  /** Of the metadata document, as the transaction has it. */
  readonly uri: string
  readonly metadata: LaunchMetadata
}

/**
 * What was built here: writer of `launch_configs`, as `LearnCurves` is, and of `launch_deployments`. With it a deployment can be built
 * before its configuration has landed, and a launched token gets its configuration and metadata. Secret keys are never stored. What never
 * lands is swept (`BuiltLaunchSweep`).
 */
export const builtLaunches = Effect.gen(function* () {
  const sql = yield* SqlClient
  const { json } = yield* PgClient
  const now = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

  const addConfig = Effect.fn("BuiltLaunches.addConfig")(function* (config: BuiltConfig) {
    const { configAddress, launchpad, quoteMint, signer, tokenDecimal: tokenDecimals, tokenType } = config
    const documents = { dbcConfig: json(config.dbcConfig), metadata: json(config.metadata) }
    const row = { configAddress, signer, launchpad, quoteMint, tokenType, tokenDecimals, ...documents }
    yield* Effect.orDie(sql`insert into launch_configs ${sql.insert({ ...row, createdAt: yield* now })}`)
  })

  const addDeployment = Effect.fn("BuiltLaunches.addDeployment")(function* (built: BuiltDeployment) {
    const { name, symbol, ...metadata } = built.metadata
    const row = { ...built, name, symbol, metadata: json(metadata), createdAt: yield* now }
    yield* Effect.orDie(sql`insert into launch_deployments ${sql.insert(row)} on conflict do nothing`)
  })

  /** A configuration as it was built. What is on chain under its key may be another one. */
  const findConfig = Effect.fn("BuiltLaunches.findConfig")(function* (configAddress: string) {
    // The fee is kept in SOL, as it was sent; the program counts whole lamports.
    const [row] = yield* sql<Omit<ConfigFacts, "poolCreationFee"> & { readonly poolCreationFee: string }>`
      select quote_mint, token_type, token_decimals as token_decimal,
        trunc(coalesce((dbc_config ->> 'poolCreationFee')::numeric, 0) * 1000000000)::text as pool_creation_fee
      from launch_configs where config_address = ${configAddress} and signer is not null`.pipe(Effect.orDie)
    return row && { ...row, poolCreationFee: BigInt(row.poolCreationFee) }
  })

  return { addConfig, addDeployment, findConfig }
})
