/**
 * The curve of a configuration by `buildCurveMode` 0 without vesting and migration fee, as the service builds it: one segment of
 * constant liquidity from a start price to the price at which the rest of the supply and what was raised make the pool.
 */
import { wholeAmount } from "../figures/Format.ts"

/** What shapes a curve. */
export interface CurveTerms {
  /** Whole tokens. */
  readonly supply: string
  /** Whole quote tokens that the curve raises before it migrates, a decimal string. */
  readonly raises: string
  /** Percent of the supply that goes into the migrated pool, with at most four digits after the point. Below half: the price rises. */
  readonly poolPercent: number
  /** Whole tokens that are kept back for rounding. */
  readonly leftover: string
  readonly baseDecimals: number
  readonly quoteDecimals: number
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

/** Bounds of square roots of prices (program: `MIN_SQRT_PRICE`, `MAX_SQRT_PRICE`). */
const SQRT_PRICE_MIN = 4_295_048_016n
const SQRT_PRICE_MAX = 79_226_673_521_066_979_257_578_248_091n
const PRICE_DIGITS = 18

/** Rounded down. */
export const squareRoot = (value: bigint): bigint => {
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

const smallestUnits = (amount: string, decimals: number): bigint => {
  const [whole = "", fraction = ""] = amount.split(".")
  return BigInt(whole + fraction.padEnd(decimals, "0"))
}
/** Of a percentage. */
const PERCENT_SCALE = 10_000

export const curveOf = (terms: CurveTerms): Curve => {
  const base = 10n ** BigInt(terms.baseDecimals)
  const supply = BigInt(terms.supply) * base
  const threshold = smallestUnits(terms.raises, terms.quoteDecimals)
  const inPool = (supply * BigInt(Math.round(terms.poolPercent * PERCENT_SCALE))) / BigInt(100 * PERCENT_SCALE)
  const sqrtMigrationPrice = squareRoot((threshold << 128n) / inPool)
  // What the pool takes of the supply at that price: its liquidity over the whole range of prices.
  const poolLiquidity = (threshold << 128n) / (sqrtMigrationPrice - SQRT_PRICE_MIN)
  const migrated = roundedUp(poolLiquidity * (SQRT_PRICE_MAX - sqrtMigrationPrice), sqrtMigrationPrice * SQRT_PRICE_MAX)
  const offered = supply - migrated - BigInt(terms.leftover) * base
  const raised = threshold << 128n
  const sqrtStartPrice = roundedUp(raised, offered * sqrtMigrationPrice)
  const liquidity = roundedUp(raised, sqrtMigrationPrice - sqrtStartPrice)
  const sold = baseBetween(sqrtStartPrice, sqrtMigrationPrice, liquidity)
  return { terms, supply, sqrtStartPrice, sqrtMigrationPrice, liquidity, threshold, sold }
}

/** A point of a curve. */
export interface CurvePoint {
  /** Quote tokens that were raised, and base tokens sold for them, in smallest units, without fees. */
  readonly raised: bigint
  readonly sold: bigint
  readonly sqrtPrice: bigint
}

/** Where the curve is once so much was raised, from 0 to its threshold. */
export const pointAt = ({ liquidity, sqrtMigrationPrice, sqrtStartPrice }: Curve, raised: bigint): CurvePoint => {
  const reached = sqrtStartPrice + (raised << 128n) / liquidity
  const sqrtPrice = reached < sqrtMigrationPrice ? reached : sqrtMigrationPrice
  return { raised, sqrtPrice, sold: baseBetween(sqrtStartPrice, sqrtPrice, liquidity) }
}

const decimal = (numerator: bigint, denominator: bigint): string =>
  wholeAmount(String((numerator * 10n ** BigInt(PRICE_DIGITS)) / denominator), PRICE_DIGITS)

/** Price of a whole token in whole quote tokens, a decimal string. */
export const priceAt = ({ terms }: Curve, { sqrtPrice }: CurvePoint): string =>
  decimal(sqrtPrice ** 2n * 10n ** BigInt(terms.baseDecimals), 2n ** 128n * 10n ** BigInt(terms.quoteDecimals))

/** Price times supply, in whole quote tokens, a decimal string. */
export const marketCapAt = ({ supply, terms }: Curve, { sqrtPrice }: CurvePoint): string =>
  decimal(sqrtPrice ** 2n * supply, 2n ** 128n * 10n ** BigInt(terms.quoteDecimals))

/** How many times the price at migration is that at the start, rounded to a whole number. */
export const riseOf = ({ sqrtMigrationPrice, sqrtStartPrice }: Curve): bigint =>
  ((sqrtMigrationPrice ** 2n * 10n) / sqrtStartPrice ** 2n + 5n) / 10n
