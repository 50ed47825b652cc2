import type { SwapQuote } from "@launch-registry/domain/launch/Pool"
import { priceInQuote } from "./CurveMath.ts"
import type { CurveSnapshot } from "./CurveSnapshot.ts"
import type { DbcSdk } from "./DbcSdk.ts"
import { type Swap, sidesOf } from "./Swap.ts"

/** Quotes a swap. Throws what the SDK throws when the curve cannot fill it. */
export const quoteSwap = (sdk: DbcSdk, curve: CurveSnapshot, swap: Swap): SwapQuote => {
  const { config, pool, quoteDecimals } = curve
  const result = sdk.swapQuote(curve, swap)
  const ratio = Number((result.nextSqrtPrice * 1_000_000_000n) / pool.sqrtPrice) / 1_000_000_000
  return {
    amountIn: swap.amountIn.toString(),
    expectedAmountOut: result.amountOut.toString(),
    minimumAmountOut: result.minimumAmountOut.toString(),
    fee: result.fee.toString(),
    feeMint: sidesOf(curve, swap).fee.mint,
    priceBefore: priceInQuote(pool.sqrtPrice, config.tokenDecimal, quoteDecimals),
    priceAfter: priceInQuote(result.nextSqrtPrice, config.tokenDecimal, quoteDecimals),
    priceImpact: Number(Math.abs(ratio ** 2 - 1).toFixed(6)),
    slippageBps: swap.slippageBps,
  }
}

/** The largest amount up to `swap.amountIn` that the curve can fill before its migration, found by bisection. */
export const largestAmountIn = (sdk: DbcSdk, curve: CurveSnapshot, swap: Swap): bigint => {
  let [fills, fails] = [0n, swap.amountIn]
  while (fails - fills > 1n) {
    const amountIn = (fills + fails) / 2n
    try {
      sdk.swapQuote(curve, { ...swap, amountIn })
      fills = amountIn
    } catch {
      fails = amountIn
    }
  }
  return fills
}
