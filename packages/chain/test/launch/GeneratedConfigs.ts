import type { DbcConfig } from "@launch-registry/domain/pools/DbcConfig"
import { completeConfig, LAUNCHPAD_PRESETS } from "../../src/launches/ConfigPreset.ts"
import { configIssues } from "../../src/launches/ConfigRules.ts"

/** Numbers from a seed, the same in every run (Park and Miller). */
export const seeded = (seed: number) => {
  let state = seed
  const next = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647
  const int = (minimum: number, maximum: number) => minimum + Math.floor(next() * (maximum - minimum + 1))
  const pick = <A>(values: ReadonlyArray<A>): A => values[int(0, values.length - 1)]!
  return { int, pick, maybe: <A>(make: () => A): A | undefined => (next() < 0.5 ? make() : undefined) }
}

type Random = ReturnType<typeof seeded>

const curve = ({ int, pick }: Random): Pick<DbcConfig, "buildCurveMode" | "buildCurveParam"> => {
  const buildCurveMode = pick([0, 1, 2, 3] as const)
  const initialMarketCap = int(1, 500)
  const caps = {
    initialMarketCap: String(initialMarketCap),
    migrationMarketCap: String(initialMarketCap + pick([int(1, 5_000), int(1, 1_000_000)])),
  }
  const percentageSupplyOnMigration = pick([int(1, 99), int(1, 9_999) / 100])
  if (buildCurveMode === 0)
    return {
      buildCurveMode,
      buildCurveParam: { percentageSupplyOnMigration, migrationQuoteThreshold: String(pick([int(1, 1_000), 100_000])) },
    }
  if (buildCurveMode === 1) return { buildCurveMode, buildCurveParam: caps }
  if (buildCurveMode === 2) return { buildCurveMode, buildCurveParam: { ...caps, percentageSupplyOnMigration } }
  const weight = pick([1, 1.05, 1.2, 0.9, 2])
  const liquidityWeights = Array.from({ length: 16 }, (_, index) => weight ** index)
  return { buildCurveMode, buildCurveParam: { ...caps, liquidityWeights } }
}

const fees = ({ int, pick }: Random): Pick<DbcConfig, "baseFeeParams"> => {
  const endingFeeBps = int(25, 2_000)
  const isFlat = pick([true, false])
  const startingFeeBps = isFlat ? endingFeeBps : endingFeeBps + int(1, 9_900 - endingFeeBps)
  const numberOfPeriod = isFlat ? 0 : int(1, 500)
  const totalDuration = isFlat ? 0 : numberOfPeriod * int(1, 1_000)
  const feeSchedulerParam = { startingFeeBps, endingFeeBps, numberOfPeriod, totalDuration }
  return { baseFeeParams: { baseFeeMode: pick([0, 1] as const), feeSchedulerParam } }
}

const liquidity = ({ int, pick }: Random) => {
  const partnerLockedLpPercentage = int(0, 100)
  const creatorLockedLpPercentage = int(0, 100 - partnerLockedLpPercentage)
  const partnerLpPercentage = int(0, 100 - partnerLockedLpPercentage - creatorLockedLpPercentage)
  const rest = 100 - partnerLockedLpPercentage - creatorLockedLpPercentage - partnerLpPercentage
  return pick([
    { partnerLockedLpPercentage, creatorLockedLpPercentage, partnerLpPercentage, creatorLpPercentage: rest },
    vestingLiquidity({ int, pick }),
    {},
  ])
}

/** Half of the liquidity is locked for ever, the other half is released within a day: the public test build of DAMM v2 takes no more. */
const vestingLiquidity = ({ int, pick }: Pick<Random, "int" | "pick">): Partial<DbcConfig> => {
  const numberOfPeriods = pick([0, int(1, 100)])
  const vesting = (vestingPercentage: number) => ({
    ...{ vestingPercentage, numberOfPeriods, cliffDurationFromMigrationTime: int(1, 40_000) },
    bpsPerPeriod: numberOfPeriods === 0 ? 0 : int(1, Math.floor(10_000 / numberOfPeriods)),
    totalDuration: numberOfPeriods * int(1, 400),
  })
  const partner = int(1, 49)
  return {
    ...{ partnerLockedLpPercentage: 0, creatorLockedLpPercentage: 50, partnerLpPercentage: 0, creatorLpPercentage: 0 },
    ...{ partnerLiquidityVesting: vesting(partner), creatorLiquidityVesting: vesting(50 - partner) },
  }
}

const vesting = ({ int, maybe, pick }: Random): Pick<DbcConfig, "lockedVestingParam"> | object => {
  const param = maybe(() => {
    const total = pick([int(1, 100), int(1, 100_000_000)])
    const periods = int(1, 100)
    return {
      totalLockedVestingAmount: String(total),
      cliffUnlockAmount: String(int(0, total)),
      numberOfVestingPeriod: periods,
      totalVestingDuration: periods * int(1, 1_000_000),
      cliffDurationFromMigrationTime: int(0, 100_000_000),
    }
  })
  return param === undefined ? {} : { lockedVestingParam: param }
}

const migration = ({ int, pick }: Random): Partial<DbcConfig> => {
  const feePercentage = int(0, 99)
  const migrationFee = { feePercentage, creatorFeePercentage: feePercentage === 0 ? 0 : int(0, 100) }
  const migrationFeeOption = pick([0, 1, 2, 3, 4, 5, 6] as const)
  if (migrationFeeOption !== 6) return { migrationFee, migrationFeeOption }
  const collectFeeMode = pick([0, 1, 2] as const)
  const compounding = collectFeeMode === 2 ? { compoundingFeeBps: int(1, 10_000) } : {}
  const dynamicFee = pick([0, 1] as const)
  const poolFeeBps = int(10, 1_000)
  const scheduler = {
    ...{ endingBaseFeeBps: int(1, poolFeeBps - 1), numberOfPeriod: int(1, 200) },
    ...{ sqrtPriceStepBps: int(1, 500), schedulerExpirationDuration: int(1, 100_000_000) },
  }
  const ofMarketCap = { baseFeeMode: pick([3, 4] as const), marketCapFeeSchedulerParams: scheduler }
  const migratedPoolFee = { collectFeeMode, dynamicFee, poolFeeBps, ...compounding, ...pick([ofMarketCap, {}]) }
  return { migrationFee, migrationFeeOption, migratedPoolFee }
}

/** A configuration that is plausible, not necessarily valid. */
const anyConfig = (random: Random): DbcConfig => {
  const { int, pick } = random
  return {
    ...curve(random),
    ...fees(random),
    ...liquidity(random),
    ...vesting(random),
    ...migration(random),
    totalTokenSupply: pick(["1000000000", "100000000", "21000000", "1000000", "9999999999", "21000", "470"]),
    leftover: pick(["0", "0.5", "10000", "1000000"]),
    tokenBaseDecimal: pick([6, 7, 8, 9] as const),
    tokenType: pick([0, 1] as const),
    activationType: pick([0, 1] as const),
    collectFeeMode: pick([0, 1] as const),
    dynamicFeeEnabled: pick([true, false]),
    enableFirstSwapWithMinFee: pick([true, false]),
    creatorTradingFeePercentage: int(0, 100),
    tokenUpdateAuthority: pick([0, 1, 2] as const),
    poolCreationFee: pick(["0", "0.001", "0.5", "100"]),
  } as DbcConfig
}

/** Configurations that our rules accept, from a seed. */
export const acceptedConfigs = (seed: number, count: number): ReadonlyArray<DbcConfig> => {
  const random = seeded(seed)
  const accepted: Array<DbcConfig> = []
  for (let tries = 0; accepted.length < count && tries < count * 50; tries++) {
    const config = anyConfig(random)
    if (configIssues(completeConfig(LAUNCHPAD_PRESETS.launchpad_a.config, config)).length === 0) accepted.push(config)
  }
  return accepted
}
