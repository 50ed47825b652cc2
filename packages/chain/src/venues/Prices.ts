import type { TokenPair } from "./TokenPair.ts"

/** Fraction digits of prices. */
const PRICE_DIGITS = 18n

/** `numerator / denominator` as a plain decimal string with at most `digits` fraction digits, rounded down. */
const quotient = (numerator: bigint, denominator: bigint, digits: bigint): string => {
  if (denominator === 0n) return "0"
  const scaled = ((numerator * 10n ** digits) / denominator).toString().padStart(Number(digits) + 1, "0")
  const whole = scaled.slice(0, -Number(digits))
  const fraction = scaled.slice(-Number(digits)).replace(/0+$/, "")
  return fraction === "" ? whole : `${whole}.${fraction}`
}

/** `amount` in smallest units of a token with `decimals`, in whole tokens. */
export const wholeTokens = (amount: bigint, decimals: number): string =>
  decimals === 0 ? amount.toString() : quotient(amount, 10n ** BigInt(decimals), BigInt(decimals))

/** Price of a whole base token in whole quote tokens: (s / 2^64)^2 * 10^(base decimals - quote decimals). */
export const priceInQuote = (sqrtPrice: bigint, baseDecimals: number, quoteDecimals: number): string =>
  quotient(sqrtPrice ** 2n * 10n ** BigInt(baseDecimals), 2n ** 128n * 10n ** BigInt(quoteDecimals), PRICE_DIGITS)

/** Price times `supply` (smallest base units), in whole quote tokens. */
export const marketCapInQuote = (sqrtPrice: bigint, supply: bigint, quoteDecimals: number): string =>
  quotient(sqrtPrice ** 2n * supply, 2n ** 128n * 10n ** BigInt(quoteDecimals), PRICE_DIGITS)

/** Price, market cap and sqrt price as they are answered. */
export const pricesOf = ({ base, quote }: TokenPair, sqrtPrice: bigint, supply: bigint) => ({
  price: priceInQuote(sqrtPrice, base.decimals, quote.decimals),
  marketCap: marketCapInQuote(sqrtPrice, supply, quote.decimals),
  sqrtPrice: sqrtPrice.toString(),
})

/** One US dollar, as prices in dollars are given here: whole numbers of its 10^18th part. */
export const USD_SCALE = 10n ** 18n

/** A price, given as its square and times the price of a whole quote token in dollars, of a whole base token in dollars. */
export const priceInUsd = (squareUsd: bigint, baseDecimals: number, quoteDecimals: number): string =>
  quotient(squareUsd * 10n ** BigInt(baseDecimals), 2n ** 128n * 10n ** BigInt(quoteDecimals) * USD_SCALE, PRICE_DIGITS)

/** The same times `supply` (smallest base units), in dollars. */
export const marketCapInUsd = (squareUsd: bigint, supply: bigint, quoteDecimals: number): string =>
  quotient(squareUsd * supply, 2n ** 128n * 10n ** BigInt(quoteDecimals) * USD_SCALE, PRICE_DIGITS)

/** An amount of quote tokens (smallest units) times the price of a whole one in dollars, in dollars. */
export const amountInUsd = (amountUsd: bigint, quoteDecimals: number): string =>
  quotient(amountUsd, 10n ** BigInt(quoteDecimals) * USD_SCALE, PRICE_DIGITS)

/** Change of the price from one sqrt price to another, in percent to two digits, rounded down. */
export const percentChange = (from: bigint, to: bigint): number => {
  if (from === 0n) return 0
  const hundredths = ((to ** 2n - from ** 2n) * 10_000n) / from ** 2n
  return Number(hundredths) / 100
}
