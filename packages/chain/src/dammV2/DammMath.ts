import { dividedUp, FEE_DENOMINATOR, type FeeCase, feeNumerator } from "./DammFees.ts"
import type { DammPoolAccount } from "./DammPoolAccount.ts"
import type { Fill } from "../venues/Fill.ts"
import { squareRoot } from "../venues/SquareRoot.ts"

const U64_MAX = 2n ** 64n - 1n
const BASIS_POINTS = 10_000n
const COMPOUNDING = 2

/** Whether the fee is taken from what is sent; else from what is received. */
const isFeeOnInput = ({ collectFeeMode }: DammPoolAccount, isBuy: boolean): boolean => isBuy && collectFeeMode !== 0

/** What a swap gives; `undefined` when the pool cannot fill it: its price range ends, or its fee cannot be known. */
export const dammFill = (pool: DammPoolAccount, swap: FeeCase): Fill | undefined => {
  const numerator = feeNumerator(pool, swap)
  if (numerator === undefined) return undefined
  const feeOf = (amount: bigint) => dividedUp(amount * numerator, FEE_DENOMINATOR)
  const onInput = isFeeOnInput(pool, swap.isBuy)
  const sent = onInput ? swap.amountIn - feeOf(swap.amountIn) : swap.amountIn
  const moved =
    pool.collectFeeMode === COMPOUNDING ? byReserves(pool, swap.isBuy, sent) : byRange(pool, swap.isBuy, sent)
  if (moved === undefined || moved.amountOut > U64_MAX) return undefined
  const fee = onInput ? feeOf(swap.amountIn) : feeOf(moved.amountOut)
  const nextSqrtPrice = moved.nextSqrtPrice ?? compoundedPrice(pool, swap.isBuy, sent, moved.amountOut, fee)
  if (nextSqrtPrice === undefined) return undefined
  return { amountOut: onInput ? moved.amountOut : moved.amountOut - fee, fee, nextSqrtPrice }
}

interface Moved {
  /** Before a fee on the output. */
  readonly amountOut: bigint
  readonly nextSqrtPrice?: bigint
}

/** Liquidity over a price range: the price rises by B / L, or 1/price by A / L; always rounded against the trader. */
const byRange = (
  { liquidity, sqrtMaxPrice, sqrtMinPrice, sqrtPrice }: DammPoolAccount,
  isBuy: boolean,
  sent: bigint,
): Moved | undefined => {
  if (liquidity === 0n || sqrtPrice === 0n) return undefined
  if (isBuy) {
    const nextSqrtPrice = sqrtPrice + (sent << 128n) / liquidity
    if (nextSqrtPrice > sqrtMaxPrice) return undefined
    return { amountOut: baseBetween(liquidity, sqrtPrice, nextSqrtPrice), nextSqrtPrice }
  }
  const nextSqrtPrice = dividedUp(liquidity * sqrtPrice, liquidity + sent * sqrtPrice)
  if (nextSqrtPrice < sqrtMinPrice) return undefined
  return { amountOut: quoteBetween(liquidity, nextSqrtPrice, sqrtPrice), nextSqrtPrice }
}

/** Token A between two sqrt prices. */
const baseBetween = (liquidity: bigint, lower: bigint, upper: bigint): bigint =>
  (liquidity * (upper - lower)) / (lower * upper)

/** Token B between two sqrt prices. */
const quoteBetween = (liquidity: bigint, lower: bigint, upper: bigint): bigint => (liquidity * (upper - lower)) >> 128n

/** Constant product, without a range. */
const byReserves = ({ reserves }: DammPoolAccount, isBuy: boolean, sent: bigint): Moved | undefined => {
  if (reserves === undefined) return undefined
  const [from, to] = isBuy ? [reserves.b, reserves.a] : [reserves.a, reserves.b]
  return from + sent === 0n ? undefined : { amountOut: (to * sent) / (from + sent) }
}

/** Price by the reserves after the swap, into which a part of the fee goes back as token B. */
const compoundedPrice = (
  { compoundingFeeBps, protocolFeePercent, reserves }: DammPoolAccount,
  isBuy: boolean,
  sent: bigint,
  amountOut: bigint,
  fee: bigint,
): bigint | undefined => {
  const tradingFee = fee - (fee * protocolFeePercent) / 100n
  const compounded = (tradingFee * compoundingFeeBps) / BASIS_POINTS
  const { a, b } = reserves!
  const [nextA, nextB] = isBuy ? [a - amountOut, b + sent + compounded] : [a + sent, b - amountOut + compounded]
  return nextA <= 0n ? undefined : squareRoot((nextB << 128n) / nextA)
}

/** Tokens that swaps trade against; the old layout's follow from the price range. */
export const dammReserves = (pool: DammPoolAccount): { readonly a: bigint; readonly b: bigint } => {
  const { liquidity, reserves, sqrtMaxPrice, sqrtMinPrice, sqrtPrice } = pool
  if (reserves !== undefined) return reserves
  if (sqrtPrice === 0n || sqrtMaxPrice <= sqrtPrice || sqrtMinPrice > sqrtPrice) return { a: 0n, b: 0n }
  return {
    a: baseBetween(liquidity, sqrtPrice, sqrtMaxPrice),
    b: quoteBetween(liquidity, sqrtMinPrice, sqrtPrice),
  }
}
