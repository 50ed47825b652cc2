import type { SwapQuote } from "@launch-registry/domain/launch/Pool"
import type { Address } from "@launch-registry/domain/solana/Address"
import { priceInQuote } from "./CurveMath.ts"
import type { CurveSnapshot, MigratedSnapshot } from "./CurveSnapshot.ts"
import { dammFill } from "./DammMath.ts"
import { feeTokenOf, type Swap } from "./Swap.ts"
import { largestThat, priceImpact } from "./SwapQuoting.ts"

const BASIS_POINTS = 10_000n

const fillOf = ({ currentPoint, pool }: MigratedSnapshot, { swapBaseForQuote }: Swap, amountIn: bigint) =>
  dammFill(pool, { amountIn, isBuy: !swapBaseForQuote, currentPoint })

/** Quotes a swap in the DAMM v2 pool of a migrated curve; `undefined` when the pool cannot fill it. */
export const quoteDammSwap = (curve: CurveSnapshot, migrated: MigratedSnapshot, swap: Swap): SwapQuote | undefined => {
  const fill = fillOf(migrated, swap, swap.amountIn)
  if (fill === undefined) return undefined
  const { sqrtPrice } = migrated.pool
  const priceOf = (price: bigint) => priceInQuote(price, curve.config.tokenDecimal, curve.quoteDecimals)
  return {
    venue: "damm_v2",
    pool: migrated.address as Address,
    amountIn: swap.amountIn.toString(),
    expectedAmountOut: fill.amountOut.toString(),
    minimumAmountOut: ((fill.amountOut * (BASIS_POINTS - BigInt(swap.slippageBps))) / BASIS_POINTS).toString(),
    fee: fill.fee.toString(),
    feeMint: feeTokenOf(curve, swap).mint as Address,
    priceBefore: priceOf(sqrtPrice),
    priceAfter: priceOf(fill.nextSqrtPrice),
    priceImpact: priceImpact(sqrtPrice, fill.nextSqrtPrice),
    slippageBps: swap.slippageBps,
  }
}

/** The largest amount up to `swap.amountIn` that the pool can fill within its price range. */
export const largestDammAmountIn = (migrated: MigratedSnapshot, swap: Swap): bigint =>
  largestThat(swap.amountIn, (amountIn) => fillOf(migrated, swap, amountIn) !== undefined)
