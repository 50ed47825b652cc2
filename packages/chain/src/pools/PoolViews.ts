import { type CurveProgress, PoolConfig, type PoolMetadata, PoolState } from "@launch-registry/domain/pools/Pool"
import type { Address } from "@launch-registry/domain/solana/Address"
import type { ExtraAccounts } from "../accounts/AccountReads.ts"
import { feeScheduleView } from "../dbc/FeeSchedule.ts"
import { vestingView } from "../dbc/Vesting.ts"
import { baseProgress, quoteProgress } from "../dbc/CurveProgress.ts"
import { type CurveSnapshot, graduatedPool, isComplete, type PoolFacts, venueOf } from "../dbc/CurveSnapshot.ts"
import { poolMetadataAddress, tokenMetadataAddress } from "../accounts/DerivedAddresses.ts"
import { liquidityLocks } from "./LiquidityLocks.ts"
import { priceInQuote, pricesOf } from "../venues/Prices.ts"
import { decodeMetaplexLabel, decodeMintLabel, decodePoolMetadata } from "../accounts/TokenLabelAccounts.ts"
import { mintOf } from "../accounts/TokenLayouts.ts"

type Texts<A> = { readonly [Key in keyof A]: A[Key] extends bigint ? string : A[Key] }

/** The fields of a decoded account that its answer declares. */
const declared = <A extends object, Name extends string>(
  account: A,
  { fields }: { readonly fields: Readonly<Record<Name, unknown>> },
) =>
  withTexts(Object.fromEntries(Object.entries(account).filter(([name]) => name in fields)) as Pick<A, keyof A & Name>)

/** Every bigint of a decoded account as a decimal string. */
const withTexts = <A extends object>(account: A): Texts<A> =>
  Object.fromEntries(
    Object.entries(account).map(([key, value]) => [key, typeof value === "bigint" ? value.toString() : value]),
  ) as Texts<A>

/** The account that {@link poolState} needs besides: its supply makes the market cap after the migration. */
export const stateAccounts = ({ base }: PoolFacts) => Promise.resolve({ mint: base.mint })

export const poolState = (curve: CurveSnapshot, { mint }: ExtraAccounts<"mint">): PoolState => {
  const { address, config, pool, slot, venue } = curve
  const fields = declared(pool, PoolState)
  const migratedPool = venue.view?.(mintOf(mint)?.supply ?? config.postMigrationTokenSupply) ?? null
  const { marketCap, price } = migratedPool ?? pricesOf(curve, pool.sqrtPrice, config.preMigrationTokenSupply)
  return {
    pool: address as Address,
    mintAddress: pool.baseMint as Address,
    quoteMint: config.quoteMint as Address,
    ...(fields as typeof fields & {
      config: Address
      creator: Address
      baseVault: Address
      quoteVault: Address
    }),
    quoteRemaining: quoteRemaining(curve),
    isComplete: isComplete(curve),
    graduatedPool: graduatedPool(curve),
    venue: venueOf(curve),
    migratedPool,
    liquidityLocks: liquidityLocks(curve),
    price,
    marketCap,
    quoteProgress: quoteProgress(pool.quoteReserve, config),
    baseProgress: baseProgress(pool.sqrtPrice, config),
    slot: slot.toString(),
  }
}

const quoteRemaining = ({ config, pool }: CurveSnapshot): string => {
  const left = config.migrationQuoteThreshold - pool.quoteReserve
  return left > 0n ? left.toString() : "0"
}

export const poolConfig = ({ base, config, pool, quote }: CurveSnapshot): PoolConfig => {
  const { curve, feeSchedule, lockedVesting } = config
  const fields = declared(config, PoolConfig)
  return {
    ...(fields as typeof fields & {
      quoteMint: Address
      feeClaimer: Address
      leftoverReceiver: Address
    }),
    config: pool.config as Address,
    feeSchedule: feeSchedule ? feeScheduleView(feeSchedule) : null,
    lockedVesting: vestingView(lockedVesting),
    curve: curve.map(withTexts),
    migrationPrice: priceInQuote(config.migrationSqrtPrice, base.decimals, quote.decimals),
  }
}

export const curveProgress = (curve: CurveSnapshot): CurveProgress => {
  const { address, config, pool, slot } = curve
  return {
    pool: address as Address,
    quoteProgress: quoteProgress(pool.quoteReserve, config),
    baseProgress: baseProgress(pool.sqrtPrice, config),
    quoteReserve: pool.quoteReserve.toString(),
    quoteRemaining: quoteRemaining(curve),
    migrationQuoteThreshold: config.migrationQuoteThreshold.toString(),
    isComplete: isComplete(curve),
    isMigrated: pool.isMigrated,
    migrationProgress: pool.migrationProgress,
    graduatedPool: graduatedPool(curve),
    slot: slot.toString(),
  }
}

/** Accounts that say what is published about a pool and its token. */
export const metadataAccounts = async ({ address, base }: PoolFacts) => {
  const [poolMetadata, tokenMetadata] = await Promise.all([
    poolMetadataAddress(address),
    tokenMetadataAddress(base.mint),
  ])
  return { poolMetadata, tokenMetadata, mint: base.mint }
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
