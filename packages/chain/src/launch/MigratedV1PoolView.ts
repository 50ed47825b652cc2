import type { MigratedPool } from "@launch-registry/domain/launch/MigratedPool"
import type { Address } from "@launch-registry/domain/solana/Address"
import { marketCapInQuote, priceInQuote } from "./CurveMath.ts"
import type { CurveSnapshot, MigratedV1Snapshot } from "./CurveSnapshot.ts"
import { dammV1Reserves, sqrtPriceOf } from "./DammV1Math.ts"
import { squareRoot } from "./SquareRoot.ts"

const BASIS_POINTS = 10_000
/** Beyond those that DAMM v2 has: the fee is taken of what is sent. */
const FEE_OF_INPUT = 3

/** The DAMM v1 pool of a migrated curve; `supply` of the base token in smallest units. */
export const migratedV1Pool = (
  { config, quoteDecimals }: CurveSnapshot,
  { address, state }: MigratedV1Snapshot,
  supply: bigint,
): MigratedPool => {
  const { a, b, lpSupply, pool } = state
  const reserves = dammV1Reserves(state) ?? { a: 0n, b: 0n }
  const sqrtPrice = sqrtPriceOf(reserves)
  const liquidity = squareRoot((reserves.a * reserves.b) << 128n)
  const locked = lpSupply === 0n ? 0n : (liquidity * pool.totalLockedLp) / lpSupply
  const feeBps =
    pool.tradeFeeDenominator === 0n
      ? 0
      : (Number(pool.tradeFeeNumerator) * BASIS_POINTS) / Number(pool.tradeFeeDenominator)
  return {
    pool: address as Address,
    baseVault: a.vault.tokenVault as Address,
    quoteVault: b.vault.tokenVault as Address,
    price: priceInQuote(sqrtPrice, config.tokenDecimal, quoteDecimals),
    marketCap: marketCapInQuote(sqrtPrice, supply, quoteDecimals),
    sqrtPrice: sqrtPrice.toString(),
    liquidity: liquidity.toString(),
    permanentLockedLiquidity: locked.toString(),
    baseReserve: reserves.a.toString(),
    quoteReserve: reserves.b.toString(),
    feeBps,
    baseFeeBps: feeBps,
    baseFeeMode: 0,
    dynamicFeeBps: 0,
    dynamicFeeEnabled: false,
    collectFeeMode: FEE_OF_INPUT,
    compoundingFeeBps: 0,
    isEnabled: pool.isEnabled,
    activationPoint: pool.activationPoint.toString(),
    activationType: pool.activationType,
  }
}
