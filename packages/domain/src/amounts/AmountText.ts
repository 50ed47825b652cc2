import { plainDecimal } from "./Decimal.ts"

const WRAPPED_SOL = "So11111111111111111111111111111111111111112"
export const SOL_DECIMALS = 9

/** A token that an amount is of; wrapped SOL stands for SOL. */
export interface CountedToken {
  readonly mint: string
  /** Not given where they are not known. */
  readonly decimals?: number
}

/** An amount as errors say it, with the smallest units beside: `0.85 SOL (850000000)`. Without decimals the smallest units alone. */
export const amountText = (units: bigint, { decimals, mint }: CountedToken): string => {
  const [known, name] = mint === WRAPPED_SOL ? [SOL_DECIMALS, "SOL"] : [decimals, `of ${mint}`]
  const whole = known === undefined ? undefined : plainDecimal(`${units}e-${known}`)
  return whole === undefined ? `${units} smallest units ${name}` : `${whole} ${name} (${units})`
}

/** Lamports as errors say them. */
export const solText = (lamports: bigint): string => amountText(lamports, { mint: WRAPPED_SOL })
