import type { ConfigParameters } from "../../src/dbc/ConfigParameters.ts"
import type { CompleteDbcConfig } from "../../src/launches/ConfigPreset.ts"

const sdk = await import("@meteora-ag/dynamic-bonding-curve-sdk")

/** The SDK's numbers as ours. */
const plain = (value: unknown): unknown => {
  if (typeof value !== "object" || value === null) return value
  if (Array.isArray(value)) return value.map(plain)
  if (value.constructor.name === "BN") {
    const number = BigInt(String(value))
    if (number < 0n) throw new RangeError("the SDK builds what no instruction has")
    return number
  }
  return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, plain(of)]))
}

/** What the SDK makes of the curve of a configuration, with its plainest fees; nothing where it refuses it. */
export const sdkParameters = (config: CompleteDbcConfig, tokenQuoteDecimal: number): ConfigParameters | undefined => {
  const { buildCurveMode, buildCurveParam: curve, lockedVestingParam: vesting, migratedPoolFee, migrationFee } = config
  const compounds = config.migrationFeeOption === 6 && migratedPoolFee?.collectFeeMode === 2
  const schedule = { startingFeeBps: 100, endingFeeBps: 100, numberOfPeriod: 0, totalDuration: 0 }
  const base = {
    token: {
      ...{ tokenType: 0, tokenBaseDecimal: config.tokenBaseDecimal, tokenQuoteDecimal, tokenAuthorityOption: 1 },
      ...{ totalTokenSupply: Number(config.totalTokenSupply), leftover: Number(config.leftover) },
    },
    fee: {
      ...{ baseFeeParams: { baseFeeMode: 0, feeSchedulerParam: schedule }, dynamicFeeEnabled: true, collectFeeMode: 0 },
      ...{ creatorTradingFeePercentage: 50, poolCreationFee: 0, enableFirstSwapWithMinFee: false },
    },
    migration: {
      ...{ migrationOption: 1, migrationFeeOption: compounds ? 6 : 2, migrationFee },
      ...(compounds
        ? { migratedPoolFee: { ...migratedPoolFee, baseFeeMode: 0, marketCapFeeSchedulerParams: undefined } }
        : {}),
    },
    liquidityDistribution: {
      ...{ partnerPermanentLockedLiquidityPercentage: 50, partnerLiquidityPercentage: 0 },
      ...{ creatorPermanentLockedLiquidityPercentage: 50, creatorLiquidityPercentage: 0 },
    },
    lockedVesting: {
      totalLockedVestingAmount: Number(vesting.totalLockedVestingAmount),
      cliffUnlockAmount: Number(vesting.cliffUnlockAmount),
      numberOfVestingPeriod: vesting.numberOfVestingPeriod ?? 0,
      totalVestingDuration: vesting.totalVestingDuration ?? 0,
      cliffDurationFromMigrationTime: vesting.cliffDurationFromMigrationTime ?? 0,
    },
    activationType: 1,
    percentageSupplyOnMigration: curve.percentageSupplyOnMigration,
    migrationQuoteThreshold: Number(curve.migrationQuoteThreshold),
    initialMarketCap: Number(curve.initialMarketCap),
    migrationMarketCap: Number(curve.migrationMarketCap),
    liquidityWeights: curve.liquidityWeights,
  } as never
  const builders = [
    ...[sdk.buildCurve, sdk.buildCurveWithMarketCap, sdk.buildCurveWithTwoSegments],
    sdk.buildCurveWithLiquidityWeights,
  ]
  try {
    return { ...(plain(builders[buildCurveMode]!(base)) as ConfigParameters), padding: [0, 0] }
  } catch {
    return undefined
  }
}
