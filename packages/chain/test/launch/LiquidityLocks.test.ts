import { assert, describe, it } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import type { LiquidityLocks } from "@launch-registry/domain/launch/LiquidityLocks"
import { Effect } from "effect"
import { readFees } from "../../src/claims/PoolFeeReads.ts"
import { tokenLiquidity } from "../../src/claims/TokenLiquidity.ts"
import { decodeTransaction } from "../../src/events/DecodeTransaction.ts"
import { Pools } from "../../src/pools/Pools.ts"
import { poolState, stateAccounts } from "../../src/pools/PoolViews.ts"
import type { PoolMigrated } from "../../src/transactions/DbcEvent.ts"
import { completedLaunch, migrate } from "./GraduatedLaunch.ts"
import { landed } from "./MigratedSwaps.ts"
import { hasDammV2Programs, launchServices } from "./RealPrograms.ts"

const SHARES: DbcConfig = {
  ...{ partnerLockedLpPercentage: 29, creatorLockedLpPercentage: 29, partnerLpPercentage: 5, creatorLpPercentage: 7 },
  partnerLiquidityVesting: { vestingPercentage: 10, cliffDurationFromMigrationTime: 600 },
  creatorLiquidityVesting: {
    ...{ vestingPercentage: 20, bpsPerPeriod: 2_000, numberOfPeriods: 4 },
    ...{ cliffDurationFromMigrationTime: 100, totalDuration: 4_000 },
  },
}
const ALL_LOCKED: DbcConfig = {
  ...{ partnerLockedLpPercentage: 60, creatorLockedLpPercentage: 40, partnerLpPercentage: 0, creatorLpPercentage: 0 },
}
const COMPOUNDING: DbcConfig = {
  migrationFeeOption: 6,
  migratedPoolFee: { collectFeeMode: 2, dynamicFee: 0, poolFeeBps: 100, compoundingFeeBps: 5_000 },
}

const locksOf = Effect.fn(function* (baseMint: string) {
  const pools = yield* Pools
  const { accounts, curve } = yield* pools.getCurveWith(baseMint, stateAccounts)
  return poolState(curve, accounts).liquidityLocks as LiquidityLocks
})

/** Who can take the liquidity away, with the positions that a migration created or without. */
const liquidityOf = Effect.fn(function* (baseMint: string, nftMints: ReadonlyArray<string> | undefined) {
  const directory = { find: () => Effect.succeed(nftMints) }
  return tokenLiquidity(yield* readFees({ pools: yield* Pools, directory }, baseMint, () => Promise.resolve({})))
})

describe.skipIf(!hasDammV2Programs)("Locks of liquidity on the real programs (needs the program files)", () => {
  const cases: Readonly<Record<string, DbcConfig>> = {
    "a part is locked": { ...SHARES, migrationFeeOption: 2 },
    "a part is locked, and fees are compounded": { ...SHARES, ...COMPOUNDING },
    "all is locked": { ...ALL_LOCKED, migrationFeeOption: 2 },
    "all is locked, and fees are compounded": { ...ALL_LOCKED, ...COMPOUNDING },
  }
  for (const [what, config] of Object.entries(cases))
    it.live(`are announced before the migration and read after it, where ${what}`, () =>
      Effect.gen(function* () {
        const { baseMint, pool, wallet } = yield* completedLaunch(config)
        const before = yield* locksOf(baseMint)
        const isAllLocked = config.partnerLpPercentage === 0
        assert.deepInclude(before, {
          basis: "configuration",
          permanentLockedShare: isAllLocked ? 1 : 0.58,
          ...{ vestingShare: isAllLocked ? 0 : 0.3, unlockedShare: isAllLocked ? 0 : 0.12, unknownShare: 0 },
        })
        const [creator, partner] = before.atMigration!
        assert.deepInclude(creator, { party: "creator", owner: wallet.address as never })
        if (isAllLocked) assert.deepInclude(partner, { vestingShare: 0, vesting: null, vestingEndsAfter: null })
        else {
          assert.deepInclude(creator, { permanentLockedShare: 0.29, vestingShare: 0.2, unlockedShare: 0.07 })
          assert.deepInclude([creator!.vestingEndsAfter, partner!.vestingEndsAfter], 600)
          assert.deepInclude(creator!.vesting, { bpsPerPeriod: 2_000, numberOfPeriods: 4, frequency: 1_000 })
          assert.strictEqual(creator!.vestingEndsAfter, 4_100)
        }

        assert.deepStrictEqual(yield* liquidityOf(baseMint, undefined), { ...before, positions: [] })

        const migration = yield* migrate(wallet.secretKey, pool, config.migrationFeeOption!)
        const after = yield* locksOf(baseMint)
        assert.deepInclude(after, { basis: "pool", atMigration: before.atMigration })
        if (isAllLocked)
          assert.deepInclude(after, { permanentLockedShare: 1, vestingShare: 0, unlockedShare: 0, unknownShare: 0 })
        else {
          assert.approximately(after.permanentLockedShare!, 0.58, 1e-5)
          assert.approximately(after.unknownShare!, 0.42, 1e-5)
          assert.deepInclude(after, { vestingShare: null, unlockedShare: null })
        }

        assert.deepStrictEqual(yield* liquidityOf(baseMint, undefined), { ...after, positions: null })
        const events = decodeTransaction(yield* landed(migration))
        const migrated = events.find(({ type }) => type === "PoolMigrated") as PoolMigrated
        const nftMints = [migrated.firstPositionMint!, migrated.secondPositionMint!]
        const { positions, ...whole } = yield* liquidityOf(baseMint, nftMints)
        assert.deepInclude(whole, { basis: "pool", unknownShare: 0 })
        // One wallet is creator and partner: its positions count as those of the creator.
        for (const { owner, party } of positions!)
          assert.deepStrictEqual({ owner, party }, { owner: wallet.address as never, party: "creator" })
        // The first position is the larger one.
        const [first, second] = isAllLocked ? [before.atMigration![1], before.atMigration![0]] : before.atMigration!
        for (const [index, planned] of [first!, second!].entries()) {
          const position = positions![index]!
          for (const name of ["permanentLockedShare", "vestingShare", "unlockedShare"] as const)
            assert.approximately(position[name], planned[name], 1e-5)
          const { vesting } = position
          assert.strictEqual(vesting === null, planned.vesting === null)
          if (vesting === null || planned.vesting === null) continue
          const { cliffDurationFromMigrationTime: cliff, numberOfPeriods } = planned.vesting
          assert.strictEqual(Number(vesting.endPoint) - Number(vesting.cliffPoint), planned.vestingEndsAfter! - cliff)
          assert.strictEqual(vesting.numberOfPeriods, numberOfPeriods)
          const all = vesting.cliffShare + numberOfPeriods * vesting.sharePerPeriod
          assert.approximately(all, planned.vestingShare, 1e-5)
        }
        const total = whole.permanentLockedShare! + whole.vestingShare! + whole.unlockedShare!
        assert.approximately(total, 1, 3e-6)
        assert.approximately(whole.vestingShare!, before.vestingShare!, 1e-5)
      }).pipe(Effect.provide(launchServices())),
    )
})
