import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"

/** An exact number: whole numbers over one another. */
export interface Fraction {
  readonly dividend: bigint
  readonly divisor: bigint
}

/** The exact value of a decimal number, at least 0. */
export const fractionOf = (value: string | number): Fraction => {
  const [whole = "0", decimals = ""] = (plainDecimal(String(value)) ?? "0").split(".")
  return { dividend: BigInt(whole + decimals), divisor: 10n ** BigInt(decimals.length) }
}

/** A whole-token amount in smallest units; `undefined` where the token has fewer decimals than the amount. */
export const unitsOf = (amount: string | number, decimals: number): bigint | undefined => {
  const { dividend, divisor } = fractionOf(amount)
  const scaled = dividend * 10n ** BigInt(decimals)
  return scaled % divisor === 0n ? scaled / divisor : undefined
}
