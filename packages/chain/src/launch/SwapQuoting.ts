import type { SwapQuote } from "@launch-registry/domain/launch/Pool"
import type { Address } from "@launch-registry/domain/solana/Address"
import { priceInQuote } from "./CurveMath.ts"
import type { CurveSnapshot } from "./CurveSnapshot.ts"
import type { DbcSdk } from "./DbcSdk.ts"
import { feeTokenOf, type Swap } from "./Swap.ts"

const RATIO_SCALE = 1_000_000_000n

/** Relative change of the price from one sqrt price to another, to six digits. */
export const priceImpact = (from: bigint, to: bigint): number => {
  const ratio = Number((to * RATIO_SCALE) / from) / Number(RATIO_SCALE)
  return Number(Math.abs(ratio ** 2 - 1).toFixed(6))
}

/** Quotes a swap on the curve. Throws what the SDK throws when the curve cannot fill it. */
export const quoteSwap = (sdk: DbcSdk, curve: CurveSnapshot, swap: Swap): SwapQuote => {
  const { config, pool, quoteDecimals } = curve
  const result = sdk.swapQuote(curve, swap)
  return {
    venue: "dbc",
    pool: curve.address as Address,
    amountIn: swap.amountIn.toString(),
    expectedAmountOut: result.amountOut.toString(),
    minimumAmountOut: result.minimumAmountOut.toString(),
    fee: result.fee.toString(),
    feeMint: feeTokenOf(curve, swap).mint as Address,
    priceBefore: priceInQuote(pool.sqrtPrice, config.tokenDecimal, quoteDecimals),
    priceAfter: priceInQuote(result.nextSqrtPrice, config.tokenDecimal, quoteDecimals),
    priceImpact: priceImpact(pool.sqrtPrice, result.nextSqrtPrice),
    slippageBps: swap.slippageBps,
  }
}

/** The largest amount up to `swap.amountIn` that the curve can fill before its migration. */
export const largestAmountIn = (sdk: DbcSdk, curve: CurveSnapshot, swap: Swap): bigint =>
  largestThat(swap.amountIn, (amountIn) => {
    try {
      sdk.swapQuote(curve, { ...swap, amountIn })
      return true
    } catch {
      return false
    }
  })

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
