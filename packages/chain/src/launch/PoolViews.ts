import type { CurveProgress, PoolConfig, PoolMetadata, PoolState } from "@launch-registry/domain/launch/Pool"
import type { Venue } from "@launch-registry/domain/launch/Venue"
import type { Address } from "@launch-registry/domain/solana/Address"
import type { ExtraAccounts } from "./AccountReads.ts"
import { baseProgress, marketCapInQuote, priceInQuote, quoteProgress } from "./CurveMath.ts"
import type { CurveSnapshot, PoolFacts } from "./CurveSnapshot.ts"
import { poolMetadataAddress, tokenMetadataAddress } from "./DerivedAddresses.ts"
import { migratedPool } from "./MigratedPoolView.ts"
import { migratedV1Pool } from "./MigratedV1PoolView.ts"
import { decodeMetaplexLabel, decodeMintLabel, decodePoolMetadata } from "./TokenLabelAccounts.ts"
import { mintOf } from "./TokenLayouts.ts"

/** Whether all that the curve had to raise is raised. */
export const isComplete = ({ config, pool }: CurveSnapshot): boolean =>
  pool.quoteReserve >= config.migrationQuoteThreshold

/** Address of the pool that a migrated curve went on in; null before. */
export const graduatedPool = ({ destination, pool }: CurveSnapshot): Address | null =>
  pool.isMigrated ? (destination?.pool ?? null) : null

/** Where the token trades, or will once its complete curve has migrated. */
export const venueOf = ({ destination, pool }: CurveSnapshot): Venue =>
  pool.isMigrated ? (destination?.venue ?? "dbc") : "dbc"

type Texts<A> = { readonly [Key in keyof A]: A[Key] extends bigint ? string : A[Key] }

/** Every bigint of a decoded account as a decimal string. */
const withTexts = <A extends object>(account: A): Texts<A> =>
  Object.fromEntries(
    Object.entries(account).map(([key, value]) => [key, typeof value === "bigint" ? value.toString() : value]),
  ) as Texts<A>

/** The account that {@link poolState} needs besides: its supply makes the market cap after the migration. */
export const stateAccounts = ({ baseMint }: PoolFacts) => Promise.resolve({ mint: baseMint })

export const poolState = (curve: CurveSnapshot, { mint }: ExtraAccounts<"mint">): PoolState => {
  const { address, config, migrated, migratedV1, pool, quoteDecimals, slot } = curve
  const { hasSwap: _, withdrawn: _withdrawn, ...fields } = withTexts(pool)
  const supply = mintOf(mint)?.supply ?? config.postMigrationTokenSupply
  const after =
    (migrated && migratedPool(curve, migrated, supply)) ?? (migratedV1 && migratedV1Pool(curve, migratedV1, supply))
  return {
    pool: address as Address,
    quoteMint: config.quoteMint as Address,
    ...(fields as Texts<typeof pool> & {
      config: Address
      creator: Address
      baseMint: Address
      baseVault: Address
      quoteVault: Address
    }),
    isComplete: isComplete(curve),
    graduatedPool: graduatedPool(curve),
    venue: venueOf(curve),
    migratedPool: after ?? null,
    price: after?.price ?? priceInQuote(pool.sqrtPrice, config.tokenDecimal, quoteDecimals),
    marketCap: after?.marketCap ?? marketCapInQuote(pool.sqrtPrice, config.preMigrationTokenSupply, quoteDecimals),
    quoteProgress: quoteProgress(pool.quoteReserve, config),
    baseProgress: baseProgress(pool.sqrtPrice, config),
    slot: slot.toString(),
  }
}

export const poolConfig = ({ config, pool, quoteDecimals }: CurveSnapshot): PoolConfig => {
  const { curve, ...fields } = config
  return {
    ...(withTexts(fields) as Texts<typeof fields> & {
      quoteMint: Address
      feeClaimer: Address
      leftoverReceiver: Address
    }),
    config: pool.config as Address,
    curve: curve.map(withTexts),
    migrationPrice: priceInQuote(config.migrationSqrtPrice, config.tokenDecimal, quoteDecimals),
  }
}

export const curveProgress = (curve: CurveSnapshot): CurveProgress => {
  const { address, config, pool, slot } = curve
  return {
    pool: address as Address,
    quoteProgress: quoteProgress(pool.quoteReserve, config),
    baseProgress: baseProgress(pool.sqrtPrice, config),
    quoteReserve: pool.quoteReserve.toString(),
    migrationQuoteThreshold: config.migrationQuoteThreshold.toString(),
    isComplete: isComplete(curve),
    isMigrated: pool.isMigrated,
    migrationProgress: pool.migrationProgress,
    graduatedPool: graduatedPool(curve),
    slot: slot.toString(),
  }
}

/** Accounts that say what is published about a pool and its token. */
export const metadataAccounts = async ({ address, baseMint }: PoolFacts) => {
  const [poolMetadata, tokenMetadata] = await Promise.all([
    poolMetadataAddress(address),
    tokenMetadataAddress(baseMint),
  ])
  return { poolMetadata, tokenMetadata, mint: baseMint }
}

/** What is published on chain about the pool and its token. */
export const poolMetadata = (
  { address }: CurveSnapshot,
  accounts: ExtraAccounts<keyof Awaited<ReturnType<typeof metadataAccounts>>>,
): PoolMetadata => {
  const { mint, poolMetadata, tokenMetadata } = accounts
  const label = (tokenMetadata && decodeMetaplexLabel(tokenMetadata.data)) ?? (mint && decodeMintLabel(mint.data))
  return {
    address: address as Address,
    name: label?.name ?? null,
    symbol: label?.symbol ?? null,
    uri: label?.uri ?? null,
    pool: (poolMetadata && decodePoolMetadata(poolMetadata.data)) ?? null,
  }
}
