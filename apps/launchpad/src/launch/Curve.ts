/**
 * The curve of a configuration by `buildCurveMode` 0 without vesting and migration fee, as the service builds it: one segment of
 * constant liquidity from a start price to the price at which the rest of the supply and what was raised make the pool. For drawing alone, so
 * its figures are doubles, in smallest units.
 */
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

export interface Curve {
  readonly terms: CurveTerms
  readonly supply: number
  /** Square roots of prices, each in lamports for a base unit. */
  readonly start: number
  readonly migration: number
  readonly liquidity: number
  /** Lamports at which it migrates. */
  readonly threshold: number
  /** Base tokens that the curve sells until then. */
  readonly sold: number
}

/** Decimals of tokens that are launched here. */
export const DECIMALS = 6
/** Bounds of square roots of prices (program: `MIN_SQRT_PRICE`, `MAX_SQRT_PRICE`). */
const [ROOT_MIN, ROOT_MAX] = [4_295_048_016 / 2 ** 64, Number(79_226_673_521_066_979_257_578_248_091n) / 2 ** 64]

/** Whole tokens of a supply that are kept back for what rounding takes. */
export const leftoverOf = (supply: string): number => Math.max(1, Math.floor(Number(supply) / 100_000))

/** Base tokens between two prices. */
const baseBetween = (lower: number, upper: number, liquidity: number): number => liquidity / lower - liquidity / upper

export const curveOf = (terms: CurveTerms): Curve => {
  const supply = Number(terms.supply) * 10 ** DECIMALS
  const threshold = Number(terms.raises) * 10 ** SOL_DECIMALS
  const migration = Math.sqrt(threshold / ((supply * terms.poolPercent) / 100))
  // What the pool takes of the supply at that price: its liquidity over the whole range of prices.
  const migrated = baseBetween(migration, ROOT_MAX, threshold / (migration - ROOT_MIN))
  const offered = supply - migrated - leftoverOf(terms.supply) * 10 ** DECIMALS
  const start = threshold / (offered * migration)
  const liquidity = threshold / (migration - start)
  return { terms, supply, start, migration, liquidity, threshold, sold: baseBetween(start, migration, liquidity) }
}

/** The square root of the price once so many lamports were raised without fees, and the base tokens that were sold for them. */
export const pointAt = ({ liquidity, migration, start }: Curve, raised: number) => {
  const root = Math.min(migration, start + raised / liquidity)
  return { root, sold: baseBetween(start, root, liquidity) }
}

/** Price times supply once so much was raised, in SOL, a decimal string. */
export const marketCapAt = (curve: Curve, raised: number): string =>
  String((pointAt(curve, raised).root ** 2 * curve.supply) / 10 ** SOL_DECIMALS)

/** How many times the price at migration is that at the start, rounded to a whole number. */
export const riseOf = ({ migration, start }: Curve): number => Math.round((migration / start) ** 2)
