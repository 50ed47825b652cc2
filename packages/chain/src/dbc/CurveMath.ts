/**
 * Amounts of a curve in whole numbers, rounded as the DBC program rounds them (`curve.rs` and `liquidity_distribution.rs` of 0.1.10):
 * amounts up, prices down. Square roots of prices are Q64.64, liquidity Q128, amounts smallest units.
 */
import type { CurvePoint } from "./ConfigAccount.ts"

export const SQRT_PRICE_MIN = 4_295_048_016n
export const SQRT_PRICE_MAX = 79_226_673_521_066_979_257_578_248_091n
/** Bits of the fraction of a price. */
export const PRICE_BITS = 128n
export const U64_MAX = 2n ** 64n - 1n
export const U128_MAX = 2n ** 128n - 1n

export const ceilDiv = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor - 1n) / divisor

/** The square root, rounded down (Newton's method). */
export const squareRoot = (value: bigint): bigint => {
  if (value < 2n) return value
  let root = 1n << BigInt((value.toString(2).length + 1) >> 1)
  while (true) {
    const next = (root + value / root) >> 1n
    if (next >= root) return root
    root = next
  }
}

/** Base tokens between two prices. */
export const baseBetween = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  ceilDiv(liquidity * (upper - lower), lower * upper)

/** Quote tokens between two prices. */
export const quoteBetween = (lower: bigint, upper: bigint, liquidity: bigint): bigint =>
  ceilDiv(liquidity * (upper - lower), 1n << PRICE_BITS)

/** A curve from its first price on: each point ends a segment. */
export interface CurveShape {
  readonly sqrtStartPrice: bigint
  readonly curve: ReadonlyArray<CurvePoint>
}

/** Quote tokens that the whole curve takes. */
export const quoteRaised = ({ curve, sqrtStartPrice }: CurveShape): bigint => {
  let raised = 0n
  let lower = sqrtStartPrice
  for (const { liquidity, sqrtPrice } of curve) {
    raised += quoteBetween(lower, sqrtPrice, liquidity)
    lower = sqrtPrice
  }
  return raised
}

/** The price at which so many quote tokens are in; `undefined` where the curve ends before. */
const priceAfter = ({ curve, sqrtStartPrice }: CurveShape, quote: bigint): bigint | undefined => {
  let left = quote
  let price = sqrtStartPrice
  for (const { liquidity, sqrtPrice } of curve) {
    const segment = quoteBetween(price, sqrtPrice, liquidity)
    if (segment > left) return price + (left << PRICE_BITS) / liquidity
    left -= segment
    price = sqrtPrice
  }
  return left === 0n ? price : undefined
}

/** Base tokens that the curve sells up to a price. */
const soldUpTo = ({ curve, sqrtStartPrice }: CurveShape, price: bigint): bigint => {
  let sold = 0n
  let lower = sqrtStartPrice
  for (const { liquidity, sqrtPrice } of curve) {
    if (sqrtPrice > price) return sold + baseBetween(lower, price, liquidity)
    sold += baseBetween(lower, sqrtPrice, liquidity)
    lower = sqrtPrice
  }
  return sold
}

/** What of the quote tokens goes into the pool: the threshold without the migration fee, in whole percent. */
export const migratedQuote = (threshold: bigint, feePercentage: number): bigint =>
  ceilDiv(threshold * BigInt(100 - feePercentage), 100n)

/** Base tokens that go into the pool with so many quote tokens at a price; a pool that compounds is of constant product. */
export const migratedBase = (quote: bigint, price: bigint, compounds: boolean): bigint => {
  if (compounds) return ceilDiv(quote << PRICE_BITS, price * price)
  return baseBetween(price, SQRT_PRICE_MAX, (quote << PRICE_BITS) / (price - SQRT_PRICE_MIN))
}

/** When a curve is full, and what happens then. */
export interface Migration {
  readonly threshold: bigint
  /** Of the threshold, in whole percent. */
  readonly feePercentage: number
  readonly compounds: boolean
}

/** What the program derives from a curve and its threshold. */
export interface CurveSupply {
  readonly migrationSqrtPrice: bigint
  readonly sold: bigint
  /** With a quarter more, which buys beyond the threshold may take, as far as the curve has it. */
  readonly soldAtMost: bigint
  readonly migrated: bigint
}

/** What `create_config` derives; `undefined` where it refuses the curve (`InvalidCurve`, `NotEnoughLiquidity`, `MathOverflow`). */
export const curveSupply = (shape: CurveShape, migration: Migration): CurveSupply | undefined => {
  if (!isCurve(shape) || migration.threshold < 1n || migration.threshold > U64_MAX) return undefined
  const migrationSqrtPrice = priceAfter(shape, migration.threshold)
  if (migrationSqrtPrice === undefined || migrationSqrtPrice >= SQRT_PRICE_MAX) return undefined
  const sold = soldUpTo(shape, migrationSqrtPrice)
  const quote = migratedQuote(migration.threshold, migration.feePercentage)
  const migrated = migratedBase(quote, migrationSqrtPrice, migration.compounds)
  if (sold < 1n || migrated < 1n || sold > U64_MAX || migrated > U64_MAX) return undefined
  if (migration.compounds && !isCompoundable(migrated, quote, migrationSqrtPrice)) return undefined
  const most = soldUpTo(shape, SQRT_PRICE_MAX)
  const buffered = sold + (sold * 25n) / 100n
  return { migrationSqrtPrice, sold, soldAtMost: buffered < most ? buffered : most, migrated }
}

/** Whether a segment can have it. */
export const isLiquidity = (liquidity: bigint): boolean => 0n < liquidity && liquidity <= U128_MAX

const isCurve = ({ curve, sqrtStartPrice }: CurveShape): boolean => {
  let lower = sqrtStartPrice
  for (const { liquidity, sqrtPrice } of curve) {
    if (sqrtPrice <= lower || sqrtPrice > SQRT_PRICE_MAX || !isLiquidity(liquidity)) return false
    lower = sqrtPrice
  }
  return curve.length > 0 && sqrtStartPrice >= SQRT_PRICE_MIN
}

/** Liquidity that a pool which compounds keeps for ever. */
const DEAD_LIQUIDITY = 100n << 64n

/** Whether such a pool can be opened with these amounts, of which the protocol takes a five-hundredth (`compounding_liquidity.rs`). */
const isCompoundable = (base: bigint, quote: bigint, sqrtPrice: bigint): boolean => {
  const [baseIn, quoteIn] = [base - base / 500n, quote - quote / 500n]
  const priced = quoteIn << PRICE_BITS
  const opening = squareRoot(ceilDiv(priced, baseIn))
  if (opening < SQRT_PRICE_MIN || opening > SQRT_PRICE_MAX) return false
  const [lower, upper] = opening < sqrtPrice ? [opening, sqrtPrice] : [sqrtPrice, opening]
  return squareRoot(priced / baseIn) * baseIn > DEAD_LIQUIDITY && (upper - lower) * 100n <= upper
}
