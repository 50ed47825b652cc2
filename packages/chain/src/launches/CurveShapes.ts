import type { CurvePoint } from "../dbc/ConfigAccount.ts"
import {
  ceilDiv,
  type CurveShape,
  curveSupply,
  isLiquidity,
  migratedBase,
  migratedQuote,
  type Migration,
  PRICE_BITS,
  quoteRaised,
  SQRT_PRICE_MAX,
  SQRT_PRICE_MIN,
  squareRoot,
  U64_MAX,
} from "../dbc/CurveMath.ts"
import type { Fraction } from "./Fraction.ts"

/** What a curve has to distribute, in smallest units. */
export interface CurveGoal extends Omit<Migration, "threshold"> {
  readonly supply: bigint
  /** What is sold and what migrates: the supply without vesting and leftover. */
  readonly available: bigint
}

/** A curve with the quote tokens that end it. */
export interface BuiltCurve extends CurveShape {
  readonly threshold: bigint
}

/** Why there is no such curve, and the field of the configuration that has to change. */
export interface CurveFault {
  readonly field: string
  readonly message: string
}

/** Makes a curve that takes about what is available. */
export type ShapeOf = (goal: CurveGoal) => BuiltCurve | CurveFault

const SHARE = "buildCurveParam.percentageSupplyOnMigration"
const INITIAL = "buildCurveParam.initialMarketCap"
const MIGRATION = "buildCurveParam.migrationMarketCap"
const THRESHOLD = "buildCurveParam.migrationQuoteThreshold"
const UNEVEN: CurveFault = {
  field: "buildCurveParam.liquidityWeights",
  message: "expected weights that differ less: the liquidity of each segment has to be from 1 to 2^128 - 1",
}

const nothingLeft = (field: string): CurveFault => ({
  field,
  message:
    "expected another value: with the vesting, the leftover and the migration fee, nothing would be left to sell",
})
const outOfRange = (field: string): CurveFault => ({
  field,
  message:
    "expected a less extreme amount: the square root of the price of a smallest unit has to be from 2^-32 to 2^32",
})
const tooMuch = (field: string): CurveFault => ({
  field,
  message:
    "expected another amount: what the curve raises has to be from 1 to 2^64 - 1 smallest units of the quote token",
})

const isPrice = (sqrtPrice: bigint): boolean => SQRT_PRICE_MIN < sqrtPrice && sqrtPrice < SQRT_PRICE_MAX
const isAmount = (amount: bigint): boolean => 0n < amount && amount <= U64_MAX

/** The square root of a market cap, in smallest units of the quote token, over the supply. */
const sqrtPriceOf = ({ dividend, divisor }: Fraction, supply: bigint): bigint =>
  squareRoot((dividend << PRICE_BITS) / (divisor * supply))

/** Prices of two market caps. */
interface Caps {
  readonly initial: Fraction
  readonly migration: Fraction
}

const withPrices =
  (
    { initial, migration }: Caps,
    shape: (start: bigint, end: bigint, goal: CurveGoal) => ReturnType<ShapeOf>,
  ): ShapeOf =>
  (goal) => {
    const [start, end] = [sqrtPriceOf(initial, goal.supply), sqrtPriceOf(migration, goal.supply)]
    if (!isPrice(start)) return outOfRange(INITIAL)
    if (!isPrice(end)) return outOfRange(MIGRATION)
    return start < end ? shape(start, end, goal) : nothingLeft(MIGRATION)
  }

/** One segment up to `end` that raises `threshold`, and behind it what rounding left of the supply. */
const oneSegment = (goal: CurveGoal, end: bigint, threshold: bigint, field: string): BuiltCurve | CurveFault => {
  const quote = migratedQuote(threshold, goal.feePercentage)
  const sold = goal.available - migratedBase(quote, end, goal.compounds)
  if (sold < 1n) return nothingLeft(field)
  const raised = threshold << PRICE_BITS
  // sold = raised / (start * end)
  const sqrtStartPrice = ceilDiv(raised, sold * end)
  if (sqrtStartPrice >= end) return nothingLeft(field)
  if (!isPrice(sqrtStartPrice)) return outOfRange(field)
  const point = { sqrtPrice: end, liquidity: ceilDiv(raised, end - sqrtStartPrice) }
  const built = { sqrtStartPrice, threshold, curve: [point] }
  const taken = curveSupply(built, { ...goal, threshold })
  const left = taken === undefined ? 0n : goal.available - taken.sold - taken.migrated
  const liquidity = left < 1n ? 0n : (left * end * SQRT_PRICE_MAX) / (SQRT_PRICE_MAX - end)
  return liquidity < 1n ? built : { ...built, curve: [point, { sqrtPrice: SQRT_PRICE_MAX, liquidity }] }
}

/** `buildCurveMode` 0: a share of the supply migrates with what the threshold leaves after the fee, which makes the price. */
export const shapeOfThreshold =
  (share: Fraction, threshold: bigint): ShapeOf =>
  (goal) => {
    const migrates = (goal.supply * share.dividend) / share.divisor
    if (migrates < 1n) return nothingLeft(SHARE)
    if (!isAmount(threshold)) return tooMuch(THRESHOLD)
    const end = squareRoot((migratedQuote(threshold, goal.feePercentage) << PRICE_BITS) / migrates)
    return isPrice(end) ? oneSegment(goal, end, threshold, SHARE) : outOfRange(THRESHOLD)
  }

/** What migrates of the base token for each quote token that does, at a price, over 2^128: as `migratedBase`, without rounding. */
const migratingRate = (price: bigint, compounds: boolean): Fraction =>
  compounds
    ? { dividend: 1n, divisor: price * price }
    : { dividend: SQRT_PRICE_MAX - price, divisor: (price - SQRT_PRICE_MIN) * price * SQRT_PRICE_MAX }

/**
 * `buildCurveMode` 1: one segment between two market caps. It sells `threshold / (start * end)`, and the threshold without the fee
 * migrates: both together are what is available.
 */
export const shapeOfCaps = (caps: Caps): ShapeOf =>
  withPrices(caps, (start, end, goal) => {
    const { dividend, divisor } = migratingRate(end, goal.compounds)
    const kept = BigInt(100 - goal.feePercentage)
    const product = start * end
    const threshold =
      (goal.available * product * divisor * 100n) / ((100n * divisor + kept * dividend * product) << PRICE_BITS)
    return isAmount(threshold) ? oneSegment(goal, end, threshold, MIGRATION) : tooMuch(MIGRATION)
  })

/** `buildCurveMode` 2: two segments between two market caps, so that this share of the supply migrates. */
export const shapeOfTwoSegments = (caps: Caps, share: Fraction): ShapeOf =>
  withPrices(caps, (start, end, goal) => {
    const { dividend, divisor } = caps.migration
    const threshold = (dividend * share.dividend * 100n) / (divisor * share.divisor * BigInt(100 - goal.feePercentage))
    if (!isAmount(threshold)) return tooMuch(SHARE)
    const sold = goal.available - migratedBase(migratedQuote(threshold, goal.feePercentage), end, goal.compounds)
    if (sold < 1n) return nothingLeft(SHARE)
    const raised = threshold << PRICE_BITS
    const middle = squareRoot(start * end)
    // Both segments have liquidity where the average price is between those of the two: `start * between` and `between * end`.
    const [least, most] = [raised / (sold * end), raised / (sold * start)]
    const within = squareRoot((least < start ? start : least) * (most < end ? most : end))
    // In the order of the SDK; then between the bounds, where none of its three is.
    for (const between of [squareRoot(start * middle), squareRoot(middle * end), middle, within]) {
      // Of what is raised, the first segment has `first` over `end - start`, the second one the rest.
      const first = start * (sold * between * end - raised)
      const second = raised * (end - start) - first
      if (first < 1n || second < 1n || between <= start || end <= between) continue
      const curve = [
        { sqrtPrice: between, liquidity: ceilDiv(first, (end - start) * (between - start)) },
        { sqrtPrice: end, liquidity: ceilDiv(second, (end - start) * (end - between)) },
      ]
      return { sqrtStartPrice: start, threshold, curve }
    }
    return {
      field: SHARE,
      message:
        "expected another share: no curve of two segments sells the rest of the supply between these market caps",
    }
  })

/** `buildCurveMode` 3: sixteen segments of equal ratio between two market caps, each with a weight above 0. */
export const shapeOfWeights = (caps: Caps, weights: ReadonlyArray<Fraction>): ShapeOf =>
  withPrices(caps, (start, end, goal) => {
    const prices = pricesBetween(start, end)
    if (prices.some((price, index) => index > 0 && price <= prices[index - 1]!)) return nothingLeft(MIGRATION)
    /** A curve of so many base tokens. */
    const selling = (sold: bigint): CurveShape => {
      const curve = weights.map(({ dividend, divisor }, index): CurvePoint => ({
        sqrtPrice: prices[index + 1]!,
        liquidity: (sold * SCALE * dividend) / (soldByWeights * divisor),
      }))
      return { sqrtStartPrice: start, curve }
    }
    // With liquidity of its weight, a segment sells `width / (lower * upper)`; times `SCALE`.
    const soldByWeights = weights.reduce((sum, { dividend, divisor }, index) => {
      const [lower, upper] = [prices[index]!, prices[index + 1]!]
      return sum + (SCALE * (upper - lower) * dividend) / (lower * upper * divisor)
    }, 0n)
    if (soldByWeights < 1n) return UNEVEN
    // What of each base token that is sold comes in as quote tokens, and migrates as base tokens again.
    const sample = quoteRaised(selling(SCALE))
    const rate = migratingRate(end, goal.compounds)
    const migrates = ((sample * BigInt(100 - goal.feePercentage) * rate.dividend) << PRICE_BITS) / (100n * rate.divisor)
    const threshold = quoteRaised(selling((goal.available * SCALE) / (SCALE + migrates)))
    if (!isAmount(threshold)) return tooMuch(MIGRATION)
    const sold = goal.available - migratedBase(migratedQuote(threshold, goal.feePercentage), end, goal.compounds)
    if (sold < 1n) return nothingLeft(MIGRATION)
    const shape = selling(sold)
    if (shape.curve.some(({ liquidity }) => !isLiquidity(liquidity))) return UNEVEN
    const raised = quoteRaised(shape)
    return { ...shape, threshold: raised < threshold ? raised : threshold }
  })

/** So that fractions of a weight count. */
const SCALE = 1n << 192n

/** Seventeen prices of equal ratio: each between two others is their geometric mean. */
const pricesBetween = (start: bigint, end: bigint): ReadonlyArray<bigint> => {
  let prices = [start, end]
  for (let round = 0; round < 4; round++)
    prices = prices.flatMap((price, index) => (index === 0 ? [price] : [squareRoot(prices[index - 1]! * price), price]))
  return prices
}

/** Rounding of prices may take more than is available: then less is made available, by twice what was taken too much. */
const ROUNDS = 64

/** The curve, as far as the program takes it and it leaves the leftover. */
export const fittedCurve = (shapeOf: ShapeOf, goal: CurveGoal): BuiltCurve | CurveFault => {
  let available = goal.available
  for (let round = 0; round < ROUNDS && available > 0n; round++) {
    const built = shapeOf({ ...goal, available })
    if ("field" in built) return built
    const taken = curveSupply(built, { ...goal, threshold: built.threshold })
    if (taken === undefined) break
    const excess = taken.soldAtMost + taken.migrated - goal.available
    if (excess <= 0n) return built
    available -= 2n * excess
  }
  return {
    field: "buildCurveParam",
    message:
      "expected less extreme amounts: the program takes no curve of these, in which amounts have 64 bits and liquidity 128",
  }
}
