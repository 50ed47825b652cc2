import type { LiquidityLocks, PlannedLiquidity } from "@launch-registry/domain/pools/LiquidityLocks"
import type { Address } from "@launch-registry/domain/solana/Address"
import { DEAD_LIQUIDITY } from "../dammV2/DammPoolAccount.ts"
import type { CurveSnapshot } from "../dbc/CurveSnapshot.ts"
import type { Position } from "../venues/Position.ts"

const MILLION = 1_000_000n
const PERCENT = 100
/** `collectFeeMode` of a DAMM v2 pool whose fees go back into the liquidity. */
const COMPOUNDING = 2

/** To the nearest millionth: a migration that locks everything leaves dust unlocked by what the program rounds. */
export const shareOf = (part: bigint, total: bigint): number =>
  Number((2n * part * MILLION + total) / (2n * total)) / Number(MILLION)

/** What of a position is locked until later, and what can be withdrawn now. */
export const heldLiquidity = ({ releasable, unlockedLiquidity, vestedLiquidity }: Position) => ({
  vesting: vestedLiquidity - releasable,
  unlocked: unlockedLiquidity + releasable,
})

/**
 * How much of the liquidity is locked: of the migrated pool and the positions that were read, and before the migration by the
 * configuration.
 */
export const liquidityLocks = (curve: CurveSnapshot, positions: ReadonlyArray<Position> = []): LiquidityLocks => {
  const { destination, pool, venue } = curve
  const atMigration = destination === undefined ? null : plannedLiquidity(curve)
  if (!pool.isMigrated) {
    const sum = (share: "permanentLockedShare" | "vestingShare" | "unlockedShare") =>
      atMigration && Math.round(PERCENT * atMigration.reduce((total, one) => total + one[share], 0)) / PERCENT
    return {
      basis: "configuration",
      ...{ permanentLockedShare: sum("permanentLockedShare"), vestingShare: sum("vestingShare") },
      ...{ unlockedShare: sum("unlockedShare"), unknownShare: atMigration && 0 },
      atMigration,
    }
  }
  const view = venue.view?.(0n)
  const total = BigInt(view?.liquidity ?? 0n)
  if (view === undefined || total === 0n) {
    const nothing = { permanentLockedShare: null, vestingShare: null, unlockedShare: null, unknownShare: null }
    return { basis: "pool", ...nothing, atMigration }
  }
  const dead = venue.name === "damm_v2" && view.collectFeeMode === COMPOUNDING ? DEAD_LIQUIDITY : 0n
  const permanentLocked = BigInt(view.permanentLockedLiquidity) + dead
  const held = positions.map(heldLiquidity)
  const vesting = held.reduce((sum, one) => sum + one.vesting, 0n)
  const unlocked = held.reduce((sum, one) => sum + one.unlocked, 0n)
  const unknownShare = shareOf(total - permanentLocked - vesting - unlocked, total)
  const areKnown = positions.length > 0 || unknownShare === 0
  return {
    basis: "pool",
    permanentLockedShare: shareOf(permanentLocked, total),
    vestingShare: areKnown ? shareOf(vesting, total) : null,
    unlockedShare: areKnown ? shareOf(unlocked, total) : null,
    ...{ unknownShare, atMigration },
  }
}

/** By the program's `get_liquidity_distribution`; what it rounds is of the creator. */
const plannedLiquidity = ({ config, pool }: CurveSnapshot): ReadonlyArray<PlannedLiquidity> =>
  (["creator", "partner"] as const).map((party) => {
    const vesting = config[`${party}LiquidityVesting`]
    return {
      party,
      owner: (party === "creator" ? pool.creator : config.feeClaimer) as Address,
      permanentLockedShare: config[`${party}PermanentLockedLiquidityPercentage`] / PERCENT,
      vestingShare: (vesting?.vestingPercentage ?? 0) / PERCENT,
      unlockedShare: config[`${party}LiquidityPercentage`] / PERCENT,
      vesting,
      vestingEndsAfter: vesting && vesting.cliffDurationFromMigrationTime + vesting.numberOfPeriods * vesting.frequency,
    }
  })
