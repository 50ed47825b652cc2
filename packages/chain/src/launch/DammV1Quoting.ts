import type { SwapQuote } from "@launch-registry/domain/launch/Pool"
import type { Address } from "@launch-registry/domain/solana/Address"
import { priceInQuote } from "./CurveMath.ts"
import type { CurveSnapshot, MigratedV1Snapshot } from "./CurveSnapshot.ts"
import { dammV1Fill, dammV1Reserves, sqrtPriceOf } from "./DammV1Math.ts"
import { feeTokenOf, type Swap } from "./Swap.ts"
import { largestThat, priceImpact } from "./SwapQuoting.ts"

const BASIS_POINTS = 10_000n
const U64_BITS = 64

const fillOf = ({ state }: MigratedV1Snapshot, { swapBaseForQuote }: Swap, amountIn: bigint) =>
  dammV1Fill(state, !swapBaseForQuote, amountIn)

/** Quotes a swap in the DAMM v1 pool of a migrated curve; `undefined` when pool and vaults cannot fill it. */
export const quoteDammV1Swap = (
  curve: CurveSnapshot,
  migrated: MigratedV1Snapshot,
  swap: Swap,
): SwapQuote | undefined => {
  const fill = fillOf(migrated, swap, swap.amountIn)
  const before = dammV1Reserves(migrated.state)
  if (fill === undefined || before === undefined) return undefined
  const [sqrtPrice, nextSqrtPrice] = [sqrtPriceOf(before), sqrtPriceOf(fill.next)]
  const priceOf = (price: bigint) => priceInQuote(price, curve.config.tokenDecimal, curve.quoteDecimals)
  return {
    venue: "damm_v1",
    pool: migrated.address as Address,
    amountIn: swap.amountIn.toString(),
    expectedAmountOut: fill.amountOut.toString(),
    minimumAmountOut: ((fill.amountOut * (BASIS_POINTS - BigInt(swap.slippageBps))) / BASIS_POINTS).toString(),
    fee: fill.fee.toString(),
    feeMint: feeTokenOf(curve, swap).mint as Address,
    priceBefore: priceOf(sqrtPrice),
    priceAfter: priceOf(nextSqrtPrice),
    priceImpact: priceImpact(sqrtPrice, nextSqrtPrice),
    slippageBps: swap.slippageBps,
  }
}

/** Why an amount is not filled: it is too small to give anything, or what could be filled at most (0 for nothing at all). */
export const unfilledDammV1 = (migrated: MigratedV1Snapshot, swap: Swap): "too small" | bigint => {
  for (let bits = 1; bits < U64_BITS; bits++) {
    const larger = swap.amountIn << BigInt(bits)
    if (larger >> BigInt(U64_BITS) > 0n) break
    if (fillOf(migrated, swap, larger) !== undefined) return "too small"
  }
  return largestThat(swap.amountIn, (amountIn) => fillOf(migrated, swap, amountIn) !== undefined)
}
