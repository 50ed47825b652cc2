import type { MigratedPool } from "@launch-registry/domain/launch/MigratedPool"
import type { Address } from "@launch-registry/domain/solana/Address"
import { marketCapInQuote, priceInQuote } from "./CurveMath.ts"
import type { CurveSnapshot, MigratedSnapshot } from "./CurveSnapshot.ts"
import { baseFeeNumerator, bpsOf, dynamicFeeNumerator, feeNumerator } from "./DammFees.ts"
import { dammReserves } from "./DammMath.ts"

/** The DAMM v2 pool of a migrated curve; `supply` of the base token in smallest units. */
export const migratedPool = (
  { config, quoteDecimals }: CurveSnapshot,
  { address, currentPoint, pool }: MigratedSnapshot,
  supply: bigint,
): MigratedPool => {
  const { baseFee, sqrtPrice } = pool
  const smallest = { amountIn: 0n, isBuy: true, currentPoint }
  const reserves = dammReserves(pool)
  const base = baseFeeNumerator(pool, smallest) ?? baseFee.cliffFeeNumerator
  return {
    pool: address as Address,
    baseVault: pool.tokenAVault as Address,
    quoteVault: pool.tokenBVault as Address,
    price: priceInQuote(sqrtPrice, config.tokenDecimal, quoteDecimals),
    marketCap: marketCapInQuote(sqrtPrice, supply, quoteDecimals),
    sqrtPrice: sqrtPrice.toString(),
    liquidity: pool.liquidity.toString(),
    permanentLockedLiquidity: pool.permanentLockLiquidity.toString(),
    baseReserve: reserves.a.toString(),
    quoteReserve: reserves.b.toString(),
    feeBps: bpsOf(feeNumerator(pool, smallest) ?? base),
    baseFeeBps: bpsOf(base),
    baseFeeMode: baseFee.mode === "unknown" ? baseFee.byte : baseFee.mode,
    dynamicFeeBps: bpsOf(dynamicFeeNumerator(pool.dynamicFee)),
    dynamicFeeEnabled: pool.dynamicFee.isEnabled,
    collectFeeMode: pool.collectFeeMode,
    compoundingFeeBps: Number(pool.compoundingFeeBps),
    isEnabled: pool.isEnabled,
    activationPoint: pool.activationPoint.toString(),
    activationType: pool.activationType,
  }
}
