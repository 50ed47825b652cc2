/**
 * The curve of a configuration by `buildCurveMode` 0 without vesting and migration fee, as the service builds it: one segment of
 * constant liquidity from a start price to the price at which the rest of the supply and what was raised make the pool.
 */
import { wholeAmount } from "../figures/Format.ts"
import { SOL_DECIMALS } from "../figures/Sol.ts"

/** What shapes a curve that is sold for SOL. */
export interface CurveTerms {
  /** Whole tokens. */
  readonly supply: string
  /** SOL that the curve raises before it migrates, a decimal string. */
  readonly raises: string
  /** Percent of the supply that goes into the migrated pool. Below half: the price rises. */
  readonly poolPercent: number
  /** Fee of a trade, in basis points; that of the launchpad where it is not stated. */
  readonly feeBps?: number
}

/** Amounts in smallest units, square roots of prices (quote units for a base unit) as Q64.64. */
export interface Curve {
  readonly terms: CurveTerms
  readonly supply: bigint
  readonly sqrtStartPrice: bigint
  readonly sqrtMigrationPrice: bigint
  readonly liquidity: bigint
  readonly threshold: bigint
  /** Base tokens that the curve sells until it migrates. */
  readonly sold: bigint
}

/** Decimals of tokens that are launched here. */
export const DECIMALS = 6
/** Bounds of square roots of prices (program: `MIN_SQRT_PRICE`, `MAX_SQRT_PRICE`). */
const [SQRT_PRICE_MIN, SQRT_PRICE_MAX] = [4_295_048_016n, 79_226_673_521_066_979_257_578_248_091n]
const CAP_DIGITS = 18

/** Whole tokens of a supply that are kept back for what rounding takes. */
export const leftoverOf = (supply: string): bigint => BigInt(supply) / 100_000n || 1n

/** Rounded down. */
const squareRoot = (value: bigint): bigint => {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  for (;;) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

const roundedUp = (numerator: bigint, denominator: bigint): bigint => (numerator + denominator - 1n) / denominator

/** Base tokens between two prices. */
const baseBetween = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  (liquidity * (upper - lower)) / (lower * upper)

/** Smallest units of a decimal string. */
export const smallestUnits = (amount: string, decimals: number): bigint => {
  const [whole = "", fraction = ""] = amount.split(".")
  return BigInt(whole + fraction.padEnd(decimals, "0"))
}

export const curveOf = (terms: CurveTerms): Curve => {
  const base = 10n ** BigInt(DECIMALS)
  const supply = BigInt(terms.supply) * base
  const threshold = smallestUnits(terms.raises, SOL_DECIMALS)
  const inPool = (supply * BigInt(Math.round(terms.poolPercent * 100))) / 10_000n
  const sqrtMigrationPrice = squareRoot((threshold << 128n) / inPool)
  // What the pool takes of the supply at that price: its liquidity over the whole range of prices.
  const poolLiquidity = (threshold << 128n) / (sqrtMigrationPrice - SQRT_PRICE_MIN)
  const migrated = roundedUp(poolLiquidity * (SQRT_PRICE_MAX - sqrtMigrationPrice), sqrtMigrationPrice * SQRT_PRICE_MAX)
  const offered = supply - migrated - leftoverOf(terms.supply) * base
  const raised = threshold << 128n
  const sqrtStartPrice = roundedUp(raised, offered * sqrtMigrationPrice)
  const liquidity = roundedUp(raised, sqrtMigrationPrice - sqrtStartPrice)
  const sold = baseBetween(sqrtStartPrice, sqrtMigrationPrice, liquidity)
  return { terms, supply, sqrtStartPrice, sqrtMigrationPrice, liquidity, threshold, sold }
}

/** The price once so much was raised without fees, from 0 to the threshold, and the base tokens that were sold for it. */
export const pointAt = ({ liquidity, sqrtMigrationPrice, sqrtStartPrice }: Curve, raised: bigint) => {
  const reached = sqrtStartPrice + (raised << 128n) / liquidity
  const sqrtPrice = reached < sqrtMigrationPrice ? reached : sqrtMigrationPrice
  return { sqrtPrice, sold: baseBetween(sqrtStartPrice, sqrtPrice, liquidity) }
}

/** Price times supply once so much was raised, in SOL, a decimal string. */
export const marketCapAt = (curve: Curve, raised: bigint): string => {
  const worth = pointAt(curve, raised).sqrtPrice ** 2n * curve.supply * 10n ** BigInt(CAP_DIGITS - SOL_DECIMALS)
  return wholeAmount(String(worth >> 128n), CAP_DIGITS)
}

/** How many times the price at migration is that at the start, rounded to a whole number. */
export const riseOf = ({ sqrtMigrationPrice, sqrtStartPrice }: Curve): bigint =>
  ((sqrtMigrationPrice ** 2n * 10n) / sqrtStartPrice ** 2n + 5n) / 10n
