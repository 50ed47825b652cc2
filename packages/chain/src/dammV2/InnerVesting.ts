import type { AccountReader } from "../accounts/AccountReader.ts"
import type { PositionVesting } from "../venues/Position.ts"

/** `InnerVesting` of a position (cp-amm IDL 0.2.0), all zeros where there is none: older programs had padding there. */
export const innerVestingAt = (account: AccountReader, at: number) => ({
  cliffPoint: account.u64(at),
  periodFrequency: account.u64(at + 8),
  cliffUnlockLiquidity: account.u128(at + 16),
  liquidityPerPeriod: account.u128(at + 32),
  releasedLiquidity: account.u128(at + 48),
  numberOfPeriods: account.u16(at + 64),
})

/**
 * What of the vested liquidity a withdrawal frees at a point, and when the rest is released (`get_max_unlocked_liquidity` of
 * `state/vesting.rs`). The schedule is `undefined` where nothing vests, or a part does in an account of its own, which is not read.
 */
export const vestingAtPoint = (
  vesting: ReturnType<typeof innerVestingAt>,
  vestedLiquidity: bigint,
  point: bigint,
): { readonly releasable: bigint; readonly schedule: PositionVesting | undefined } => {
  const { cliffPoint, cliffUnlockLiquidity, liquidityPerPeriod, periodFrequency, releasedLiquidity } = vesting
  const hasPeriods = periodFrequency > 0n && liquidityPerPeriod > 0n
  const periods = hasPeriods ? BigInt(vesting.numberOfPeriods) : 0n
  const passed = hasPeriods && point > cliffPoint ? (point - cliffPoint) / periodFrequency : 0n
  const unlocked =
    point < cliffPoint ? 0n : cliffUnlockLiquidity + liquidityPerPeriod * (passed < periods ? passed : periods)
  const locked = cliffUnlockLiquidity + liquidityPerPeriod * periods - unlocked
  const releasable = unlocked - releasedLiquidity
  const isWhole = locked > 0n && locked === vestedLiquidity - releasable
  const endPoint = cliffPoint + periodFrequency * periods
  return {
    releasable,
    schedule: isWhole
      ? { cliffPoint, endPoint, ...{ cliffUnlockLiquidity, liquidityPerPeriod, periodFrequency, periods } }
      : undefined,
  }
}
