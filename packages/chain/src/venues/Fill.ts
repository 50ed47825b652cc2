import { amountText } from "@launch-registry/domain/amounts/AmountText"
import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import type { SwapQuote } from "@launch-registry/domain/pools/Pool"
import type { Venue } from "@launch-registry/domain/pools/Venue"
import type { Address } from "@launch-registry/domain/solana/Address"
import { priceInQuote } from "./Prices.ts"
import type { PoolToken, TokenPair } from "./TokenPair.ts"

const RATIO_SCALE = 1_000_000_000n
const BASIS_POINTS = 10_000n
const U64_BITS = 64

/** Outcome of an exact-in swap, in smallest units. */
export interface Fill {
  readonly amountOut: bigint
  /** Of everybody who gets a part of it. */
  readonly fee: bigint
  /** Q64.64. */
  readonly nextSqrtPrice: bigint
}

/** What an amount gives; `undefined` where the program fails. */
export type QuoteOf = (amountIn: bigint) => Fill | undefined

/** Why an amount gives nothing, and the largest one that gives something where there is one. */
export type FillFault = Pick<InvalidIssue, "message" | "maximum">

/** What an amount of `input` gives, or why that is nothing; `end`: why larger amounts are not filled. */
export const fillOrFault = (quoteOf: QuoteOf, amountIn: bigint, input: PoolToken, end: string): Fill | FillFault => {
  const fill = quoteOf(amountIn)
  if (fill !== undefined && fill.amountOut > 0n) return fill
  if (fill !== undefined || isTooSmall(quoteOf, amountIn))
    return { message: "expected a larger amount: at the price of the pool this one would give nothing" }
  const largest = largestThat(amountIn, (amount) => quoteOf(amount) !== undefined)
  return largest === 0n
    ? { message: "the pool cannot fill this swap: it has no liquidity at this price" }
    : { message: `expected at most ${amountText(largest, input)}: ${end}`, maximum: largest.toString() }
}

/** Whether a multiple of it is filled. */
const isTooSmall = (quoteOf: QuoteOf, amountIn: bigint): boolean => {
  for (let amount = amountIn << 1n; amount >> BigInt(U64_BITS) === 0n && amount > 0n; amount <<= 1n)
    if (quoteOf(amount) !== undefined) return true
  return false
}

/** The largest amount below `amount` that `fills`, found by bisection: what fills a larger amount fills a smaller one. */
export const largestThat = (amount: bigint, fills: (amountIn: bigint) => boolean): bigint => {
  let [lower, upper] = [0n, amount]
  while (upper - lower > 1n) {
    const middle = (lower + upper) / 2n
    if (fills(middle)) lower = middle
    else upper = middle
  }
  return lower
}

/** What a fill may give at least. */
export const leastOf = ({ amountOut }: Fill, slippageBps: number): bigint =>
  (amountOut * (BASIS_POINTS - BigInt(slippageBps))) / BASIS_POINTS

/** The slippage that a least amount allows, in basis points. */
export const slippageOf = ({ amountOut }: Fill, least: bigint): number =>
  Number(((amountOut - least) * BASIS_POINTS) / amountOut)

/** The pool that a quote is of, before the swap. */
export interface QuotedPool extends TokenPair {
  readonly venue: Venue
  readonly pool: string
  readonly sqrtPrice: bigint
  readonly feeMint: string
}

/** A fill as it is answered. */
export const swapQuote = (
  { base, feeMint, pool, quote, sqrtPrice, venue }: QuotedPool,
  fill: Fill,
  terms: { readonly amountIn: bigint; readonly minimumAmountOut: bigint; readonly slippageBps: number },
): SwapQuote => ({
  venue,
  pool: pool as Address,
  amountIn: terms.amountIn.toString(),
  expectedAmountOut: fill.amountOut.toString(),
  minimumAmountOut: terms.minimumAmountOut.toString(),
  fee: fill.fee.toString(),
  feeMint: feeMint as Address,
  priceBefore: priceInQuote(sqrtPrice, base.decimals, quote.decimals),
  priceAfter: priceInQuote(fill.nextSqrtPrice, base.decimals, quote.decimals),
  priceImpact: priceImpact(sqrtPrice, fill.nextSqrtPrice),
  slippageBps: terms.slippageBps,
})

/** Relative change of the price from one sqrt price to another, to six digits. */
const priceImpact = (from: bigint, to: bigint): number => {
  const ratio = Number((to * RATIO_SCALE) / from) / Number(RATIO_SCALE)
  return Number(Math.abs(ratio ** 2 - 1).toFixed(6))
}
