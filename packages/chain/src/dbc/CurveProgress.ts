import type { ConfigAccount } from "./ConfigAccount.ts"

/** Fraction digits of progresses. */
const PROGRESS_SCALE = 1_000_000n

/** Base tokens the curve sells between its start and `sqrtPrice`: the sum of L (u - l) / (u l) over its segments. */
const baseSold = ({ curve, sqrtStartPrice }: ConfigAccount, sqrtPrice: bigint): bigint => {
  let lower = sqrtStartPrice
  let sold = 0n
  for (const point of curve) {
    const upper = point.sqrtPrice < sqrtPrice ? point.sqrtPrice : sqrtPrice
    if (upper > lower) sold += (point.liquidity * (upper - lower)) / (upper * lower)
    if (point.sqrtPrice >= sqrtPrice) break
    lower = point.sqrtPrice
  }
  return sold
}

const ratio = (part: bigint, whole: bigint): number => {
  if (whole <= 0n) return 0
  const scaled = (part * PROGRESS_SCALE) / whole
  return Number(scaled > PROGRESS_SCALE ? PROGRESS_SCALE : scaled) / Number(PROGRESS_SCALE)
}

/** Raised quote over the threshold of migration, 0 to 1. The last swap may raise a unit more than asked for. */
export const quoteProgress = (
  quoteReserve: bigint,
  { migrationQuoteThreshold }: Pick<ConfigAccount, "migrationQuoteThreshold">,
): number => ratio(quoteReserve, migrationQuoteThreshold)

/** Sold base divided by the base sold at the migration price, 0 to 1. */
export const baseProgress = (sqrtPrice: bigint, config: ConfigAccount): number =>
  ratio(baseSold(config, sqrtPrice), baseSold(config, config.migrationSqrtPrice))
