import type { DbcConfig, LiquidityVesting } from "@launch-registry/domain/pools/DbcConfig"
import { seeded } from "./GeneratedConfigs.ts"

type Random = ReturnType<typeof seeded>

const CAPS = { initialMarketCap: "30", migrationMarketCap: "420" }
const DAY = 86_400

const fees = ({ pick }: Random): DbcConfig => ({
  baseFeeParams: {
    baseFeeMode: pick([0, 1]),
    feeSchedulerParam: {
      startingFeeBps: pick([0, 24, 25, 26, 100, 5_000, 9_900, 9_901, 10_000]),
      endingFeeBps: pick([0, 24, 25, 26, 100, 5_000, 9_900, 9_901]),
      numberOfPeriod: pick([0, 1, 2, 10, 1_000, 65_535, 65_536]),
      totalDuration: pick([0, 1, 2, 10, 1_000, 655_350, 1_000_000_000]),
    },
  },
})

const liquidity = ({ int, pick }: Random): DbcConfig => {
  const share = () => pick([0, 1, 4, 5, 9, 10, 50, 90, 91, 100])
  const locked = int(0, 12)
  return pick([
    {
      ...{ partnerLpPercentage: share(), creatorLpPercentage: share() },
      ...{ partnerLockedLpPercentage: share(), creatorLockedLpPercentage: share() },
    },
    {
      ...{ partnerLpPercentage: 0, creatorLpPercentage: 100 - locked },
      ...{ partnerLockedLpPercentage: locked, creatorLockedLpPercentage: 0 },
    },
  ])
}

const vestingLiquidity = ({ pick }: Random): DbcConfig => {
  const vestingPercentage = pick([1, 9, 10, 50, 100])
  const numberOfPeriods = pick([0, 1, 2, 10, 100, 730, 65_535])
  const vesting: LiquidityVesting = {
    ...{ vestingPercentage, numberOfPeriods, bpsPerPeriod: pick([0, 1, 10, 100, 1_000, 5_000, 10_000]) },
    totalDuration: numberOfPeriods * pick([0, 1, 3_600, DAY, 10 * DAY]),
    cliffDurationFromMigrationTime: pick([0, 1, DAY - 1, DAY, DAY + 1, 730 * DAY, 730 * DAY + 1]),
  }
  return {
    ...{ partnerLockedLpPercentage: 0, creatorLockedLpPercentage: pick([0, 100 - vestingPercentage]) },
    ...{ partnerLpPercentage: pick([0, 100 - vestingPercentage]), creatorLpPercentage: 0 },
    ...pick([{ partnerLiquidityVesting: vesting }, { creatorLiquidityVesting: vesting }]),
  }
}

const vesting = ({ pick }: Random): DbcConfig => ({
  lockedVestingParam: {
    totalLockedVestingAmount: pick(["0", "0.000001", "1", "100", "20999", "21000", "500000000", "1000000000"]),
    cliffUnlockAmount: pick(["0", "0.000001", "0.5", "1", "100", "20000"]),
    numberOfVestingPeriod: pick([0, 1, 2, 3, 120, 365]),
    totalVestingDuration: pick([0, 1, 2, 365, 3_600, 3_650 * DAY, 1_000_000_000_000]),
    cliffDurationFromMigrationTime: pick([0, 1, DAY, 1_000_000_000_000]),
  },
})

const migratedFee = ({ pick }: Random): DbcConfig => ({
  migrationFeeOption: pick([6, 6, 6, 2]),
  migratedPoolFee: {
    ...{ collectFeeMode: pick([0, 1, 2]), dynamicFee: pick([0, 1]), poolFeeBps: pick([0, 9, 10, 25, 1_000, 1_001]) },
    ...pick([{}, { compoundingFeeBps: pick([0, 1, 5_000, 10_000]) }]),
  },
})

const marketCapFee = ({ pick }: Random): DbcConfig => ({
  migrationFeeOption: 6,
  migratedPoolFee: {
    ...{ collectFeeMode: 0, dynamicFee: 0, poolFeeBps: pick([10, 25, 100, 1_000]), baseFeeMode: pick([0, 3, 4]) },
    marketCapFeeSchedulerParams: {
      endingBaseFeeBps: pick([0, 1, 9, 10, 24, 25, 100, 1_000]),
      numberOfPeriod: pick([0, 1, 2, 100, 1_000, 65_535, 65_536]),
      sqrtPriceStepBps: pick([0, 1, 1_000, 65_535]),
      schedulerExpirationDuration: pick([0, 1, 4_294_967_295]),
    },
  },
})

const curves = ({ pick }: Random): DbcConfig => {
  const percentageSupplyOnMigration = pick([0, 0.0001, 0.5, 20, 33.3333, 49.99, 50, 60, 99.9999, 100])
  const caps = {
    initialMarketCap: pick(["0", "0.000000001", "0.001", "30", "420", "1000000000000"]),
    migrationMarketCap: pick(["0", "0.000000002", "0.01", "31", "420", "1000000000000000"]),
  }
  const migrationQuoteThreshold = pick(["0", "0.01", "1", "85", "1000000", "18446744073", "18446744074"])
  const liquidityWeights = Array.from({ length: pick([15, 16]) }, () => pick([0, 1e-9, 1, 2, 1e6, 1e20]))
  return pick<DbcConfig>([
    { buildCurveMode: 0, buildCurveParam: { percentageSupplyOnMigration, migrationQuoteThreshold } },
    { buildCurveMode: 1, buildCurveParam: caps },
    { buildCurveMode: 2, buildCurveParam: { ...CAPS, ...caps, percentageSupplyOnMigration } },
    { buildCurveMode: 3, buildCurveParam: { ...CAPS, liquidityWeights } },
  ])
}

const plain = ({ int, pick }: Random): DbcConfig =>
  pick<DbcConfig>([
    { tokenBaseDecimal: int(0, 12), totalTokenSupply: "1000000" },
    { poolCreationFee: pick(["0.0005", "0.000999999", "0.001", "100", "100.000000001", "101"]) },
    {
      migrationFee: { feePercentage: pick([0, 1, 50, 98, 99, 100]), creatorFeePercentage: pick([0, 1, 99, 100]) },
    },
    { leftover: pick(["0.5", "20999", "21000", "999999999", "1000000000", "0.0000001"]) },
    { totalTokenSupply: pick(["0", "0.000001", "1", "18446744073", "18446744073709.551615", "18446744073710"]) },
    { tokenUpdateAuthority: pick([0, 1, 2, 3, 4]) },
    { migrationOption: pick([0, 1]) },
  ])

const FLAWS = [
  ...[fees, liquidity, vestingLiquidity, vesting, migratedFee, marketCapFee],
  ...[curves, curves, plain, plain, plain],
]

/** Configurations with values at the bounds of the program, and beyond. */
export const flawedConfigs = (seed: number, count: number): ReadonlyArray<DbcConfig> => {
  const random = seeded(seed)
  const { pick } = random
  return Array.from({ length: count }, () => ({
    ...{ buildCurveMode: 1 as const, buildCurveParam: CAPS, leftover: "0" },
    ...{ totalTokenSupply: pick(["1000000000", "21000", "1"]), tokenBaseDecimal: pick([6, 9]) },
    ...pick(FLAWS)(random),
    ...(pick([true, false, false]) ? pick(FLAWS)(random) : {}),
  }))
}
