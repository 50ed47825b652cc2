import type { LiquidityPosition, TokenLiquidity } from "@launch-registry/domain/pools/LiquidityLocks"
import type { Address } from "@launch-registry/domain/solana/Address"
import { heldLiquidity, liquidityLocks, shareOf } from "../pools/LiquidityLocks.ts"
import type { ClaimableFee } from "./ClaimableFees.ts"
import type { FeesAtSlot } from "./PoolFeeReads.ts"

/** Who can take the liquidity of the migrated pool away, by its positions. */
export const tokenLiquidity = ({ arePositionsKnown, curve, fees }: FeesAtSlot<string>): TokenLiquidity => {
  const total = BigInt(curve.venue.view?.(0n).liquidity ?? 0n)
  const positions = fees.flatMap(({ position }) => position ?? [])
  return {
    ...liquidityLocks(curve, positions),
    positions: arePositionsKnown ? fees.flatMap((fee) => positionOf(fee, total)) : null,
  }
}

const positionOf = ({ owner, party, position }: ClaimableFee, total: bigint): ReadonlyArray<LiquidityPosition> => {
  if (position === undefined || total === 0n) return []
  const { unlocked, vesting } = heldLiquidity(position)
  const { schedule } = position
  return [
    {
      ...{ position: position.address as Address, nftMint: position.nftMint as Address },
      ...{ owner: (owner ?? null) as Address | null, party },
      permanentLockedShare: shareOf(position.permanentLockedLiquidity, total),
      vestingShare: shareOf(vesting, total),
      unlockedShare: shareOf(unlocked, total),
      vesting:
        schedule === undefined
          ? null
          : {
              cliffPoint: schedule.cliffPoint.toString(),
              endPoint: schedule.endPoint.toString(),
              cliffShare: shareOf(schedule.cliffUnlockLiquidity, total),
              periodFrequency: schedule.periodFrequency.toString(),
              numberOfPeriods: Number(schedule.periods),
              sharePerPeriod: shareOf(schedule.liquidityPerPeriod, total),
            },
    },
  ]
}
