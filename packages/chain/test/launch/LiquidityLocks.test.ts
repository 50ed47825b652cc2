import { assert, describe, it } from "@effect/vitest"
import type { DbcConfig } from "@launch-registry/domain/launch/DbcConfig"
import { Effect } from "effect"
import { Pools } from "../../src/pools/Pools.ts"
import { poolState, stateAccounts } from "../../src/pools/PoolViews.ts"
import { completedLaunch, migrate } from "./GraduatedLaunch.ts"
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
  return poolState(curve, accounts).liquidityLocks
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

        yield* migrate(wallet.secretKey, pool, config.migrationFeeOption!)
        const after = yield* locksOf(baseMint)
        assert.deepInclude(after, { basis: "pool", atMigration: before.atMigration })
        if (isAllLocked)
          assert.deepInclude(after, { permanentLockedShare: 1, vestingShare: 0, unlockedShare: 0, unknownShare: 0 })
        else {
          assert.approximately(after.permanentLockedShare!, 0.58, 1e-5)
          assert.approximately(after.unknownShare!, 0.42, 1e-5)
          assert.deepInclude(after, { vestingShare: null, unlockedShare: null })
        }
      }).pipe(Effect.provide(launchServices())),
    )
})
