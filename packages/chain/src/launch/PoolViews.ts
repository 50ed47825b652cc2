import type { CurveProgress, PoolConfig, PoolMetadata, PoolState } from "@launch-registry/domain/launch/Pool"
import type { Address } from "@launch-registry/domain/solana/Address"
import type { ExtraAccounts } from "./AccountReads.ts"
import { baseProgress, marketCapInQuote, priceInQuote, quoteProgress } from "./CurveMath.ts"
import type { CurveSnapshot, PoolFacts } from "./CurveSnapshot.ts"
import { dammV2PoolAddress, poolMetadataAddress, tokenMetadataAddress } from "./DerivedAddresses.ts"
import { DAMM_V2_CONFIGS } from "./Programs.ts"
import { decodeMetaplexLabel, decodeMintLabel, decodePoolMetadata } from "./TokenLabelAccounts.ts"

const MIGRATION_OPTION_DAMM_V2 = 1

/** Whether all that the curve had to raise is raised. */
export const isComplete = ({ config, pool }: CurveSnapshot): boolean =>
  pool.quoteReserve >= config.migrationQuoteThreshold

/** Address of the pool that a migrated curve went on in; null before, and for DAMM v1, whose pools derive otherwise. */
export const graduatedPool = async ({ config, pool }: CurveSnapshot): Promise<Address | null> => {
  const dammConfig = DAMM_V2_CONFIGS[config.migrationFeeOption]
  if (!pool.isMigrated || config.migrationOption !== MIGRATION_OPTION_DAMM_V2 || dammConfig === undefined) return null
  return (await dammV2PoolAddress(dammConfig, pool.baseMint, config.quoteMint)) as string as Address
}

type Texts<A> = { readonly [Key in keyof A]: A[Key] extends bigint ? string : A[Key] }

/** Every bigint of a decoded account as a decimal string. */
const withTexts = <A extends object>(account: A): Texts<A> =>
  Object.fromEntries(
    Object.entries(account).map(([key, value]) => [key, typeof value === "bigint" ? value.toString() : value]),
  ) as Texts<A>

export const poolState = async (curve: CurveSnapshot): Promise<PoolState> => {
  const { address, config, pool, quoteDecimals, slot } = curve
  const { hasSwap: _, ...fields } = withTexts(pool)
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
    graduatedPool: await graduatedPool(curve),
    price: priceInQuote(pool.sqrtPrice, config.tokenDecimal, quoteDecimals),
    marketCap: marketCapInQuote(pool.sqrtPrice, config.preMigrationTokenSupply, quoteDecimals),
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

export const curveProgress = async (curve: CurveSnapshot): Promise<CurveProgress> => {
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
    graduatedPool: await graduatedPool(curve),
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
