import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import type { LiquidityVesting, MigratedPoolFee } from "@launch-registry/domain/pools/DbcConfig"
import type { ConfigParameters } from "../dbc/ConfigParameters.ts"
import type { CompleteDbcConfig } from "./ConfigPreset.ts"
import {
  type BuiltCurve,
  fittedCurve,
  type ShapeOf,
  shapeOfCaps,
  shapeOfThreshold,
  shapeOfTwoSegments,
  shapeOfWeights,
} from "./CurveShapes.ts"
import { type FeeSchedule, feeSchedule, type FeeScheduleRequest } from "../dbc/FeeSchedule.ts"
import { type Fraction, fractionOf, unitsOf } from "./Fraction.ts"
import { type LockedVesting, lockedVesting } from "../dbc/Vesting.ts"
import type { LaunchTerms } from "@launch-registry/domain/pools/Schedules"
import { termsOf } from "./LaunchTerms.ts"

const SOL_DECIMALS = 9
const COMPOUNDING = 2
const CUSTOMIZABLE = 6
const MARKET_CAP_EXPONENTIAL = 4

const scaled = ({ dividend, divisor }: Fraction, decimals: number): Fraction => ({
  dividend: dividend * 10n ** BigInt(decimals),
  divisor,
})
const percent = (value: number): Fraction => {
  const { dividend, divisor } = fractionOf(value)
  return { dividend, divisor: divisor * 100n }
}

/** The curve that `buildCurveParam` describes. The rules hold: each field that the mode needs is there. */
const shapeOf = ({ buildCurveMode, buildCurveParam: curve }: CompleteDbcConfig, decimals: number): ShapeOf => {
  const share = percent(curve.percentageSupplyOnMigration ?? 0)
  const capOf = (amount: string | undefined) => scaled(fractionOf(amount ?? "0"), decimals)
  const caps = { initial: capOf(curve.initialMarketCap), migration: capOf(curve.migrationMarketCap) }
  if (buildCurveMode === 0)
    return shapeOfThreshold(share, unitsOf(curve.migrationQuoteThreshold ?? "0", decimals) ?? 0n)
  if (buildCurveMode === 1) return shapeOfCaps(caps)
  if (buildCurveMode === 2) return shapeOfTwoSegments(caps, share)
  return shapeOfWeights(caps, (curve.liquidityWeights ?? []).map(fractionOf))
}

/** A configuration in smallest units, or what keeps it from being one. */
export const configTerms = (
  config: CompleteDbcConfig,
  quoteDecimals: number,
): { readonly parameters: ConfigParameters; readonly terms: LaunchTerms } | { readonly issue: InvalidIssue } => {
  const decimals = config.tokenBaseDecimal
  const units = (amount: string | undefined) => unitsOf(amount ?? "0", decimals) ?? 0n
  const { lockedVestingParam: asked, migratedPoolFee, migrationFee } = config
  const vesting = lockedVesting({
    total: units(asked.totalLockedVestingAmount),
    cliff: units(asked.cliffUnlockAmount),
    periods: asked.numberOfVestingPeriod ?? 0,
    duration: asked.totalVestingDuration ?? 0,
    cliffDuration: asked.cliffDurationFromMigrationTime ?? 0,
  })
  const supply = units(config.totalTokenSupply)
  const fee = {
    feePercentage: migrationFee.feePercentage ?? 0,
    creatorFeePercentage: migrationFee.creatorFeePercentage ?? 0,
  }
  const isCustomizable = config.migrationFeeOption === CUSTOMIZABLE
  const curve = fittedCurve(shapeOf(config, quoteDecimals), {
    supply,
    available: supply - units(asked.totalLockedVestingAmount) - units(config.leftover),
    feePercentage: fee.feePercentage,
    compounds: isCustomizable && migratedPoolFee?.collectFeeMode === COMPOUNDING,
  })
  if ("field" in curve) return { issue: { path: `body.dbcConfig.${curve.field}`, message: curve.message } }
  const schedule = feeSchedule(scheduleOf(config))
  return {
    parameters: parametersOf(config, curve, { supply, vesting, fee, schedule, isCustomizable }),
    terms: termsOf({ feeSchedule: schedule, lockedVesting: vesting }),
  }
}

const scheduleOf = ({
  baseFeeParams: { baseFeeMode, feeSchedulerParam = {} },
}: CompleteDbcConfig): FeeScheduleRequest => {
  const { endingFeeBps = 0, numberOfPeriod = 0, startingFeeBps = 0, totalDuration = 0 } = feeSchedulerParam
  return { endingFeeBps, numberOfPeriod, startingFeeBps, totalDuration, baseFeeMode: baseFeeMode === 1 ? 1 : 0 }
}

/** What each period of the market-cap scheduler of the migrated pool takes of its fee. */
export const marketCapReduction = ({
  baseFeeMode,
  marketCapFeeSchedulerParams,
  poolFeeBps = 0,
}: MigratedPoolFee): bigint => {
  const { endingBaseFeeBps = 0, numberOfPeriod = 0 } = marketCapFeeSchedulerParams ?? {}
  return feeSchedule({
    ...{ startingFeeBps: poolFeeBps, endingFeeBps: endingBaseFeeBps, numberOfPeriod, totalDuration: numberOfPeriod },
    baseFeeMode: baseFeeMode === MARKET_CAP_EXPONENTIAL ? 1 : 0,
  }).reductionFactor
}

const schedulerOf = (fee: MigratedPoolFee | undefined) => {
  const {
    numberOfPeriod = 0,
    schedulerExpirationDuration = 0,
    sqrtPriceStepBps = 0,
  } = fee?.marketCapFeeSchedulerParams ?? {}
  if (fee === undefined || numberOfPeriod === 0) return NO_SCHEDULER
  return { numberOfPeriod, sqrtPriceStepBps, schedulerExpirationDuration, reductionFactor: marketCapReduction(fee) }
}

const liquidityVestingOf = (vesting: LiquidityVesting | undefined) => {
  if (vesting === undefined) return NO_LIQUIDITY_VESTING
  const { bpsPerPeriod = 0, numberOfPeriods = 0, totalDuration = 0, vestingPercentage = 0 } = vesting
  return {
    ...{ vestingPercentage, bpsPerPeriod, numberOfPeriods },
    cliffDurationFromMigrationTime: vesting.cliffDurationFromMigrationTime ?? 0,
    frequency: numberOfPeriods === 0 ? 0 : totalDuration / numberOfPeriods,
  }
}

const NO_LIQUIDITY_VESTING = {
  ...{ vestingPercentage: 0, bpsPerPeriod: 0, numberOfPeriods: 0 },
  ...{ cliffDurationFromMigrationTime: 0, frequency: 0 },
}
const NO_SCHEDULER = { numberOfPeriod: 0, sqrtPriceStepBps: 0, schedulerExpirationDuration: 0, reductionFactor: 0n }

const parametersOf = (
  config: CompleteDbcConfig,
  { curve, sqrtStartPrice, threshold }: BuiltCurve,
  {
    fee,
    isCustomizable,
    schedule,
    supply,
    vesting,
  }: {
    readonly supply: bigint
    readonly vesting: LockedVesting
    readonly schedule: FeeSchedule
    readonly fee: ConfigParameters["migrationFee"]
    readonly isCustomizable: boolean
  },
): ConfigParameters => {
  const migrated = isCustomizable ? config.migratedPoolFee : undefined
  return {
    poolFees: {
      baseFee: {
        cliffFeeNumerator: schedule.cliffFeeNumerator,
        firstFactor: schedule.numberOfPeriod,
        secondFactor: schedule.periodFrequency,
        thirdFactor: schedule.reductionFactor,
        baseFeeMode: schedule.baseFeeMode,
      },
      dynamicFee: config.dynamicFeeEnabled
        ? dynamicFee(config.baseFeeParams.feeSchedulerParam?.endingFeeBps ?? 0)
        : null,
    },
    collectFeeMode: config.collectFeeMode,
    migrationOption: config.migrationOption,
    activationType: config.activationType,
    tokenType: config.tokenType,
    tokenDecimal: config.tokenBaseDecimal,
    partnerLiquidityPercentage: config.partnerLpPercentage,
    partnerPermanentLockedLiquidityPercentage: config.partnerLockedLpPercentage,
    creatorLiquidityPercentage: config.creatorLpPercentage,
    creatorPermanentLockedLiquidityPercentage: config.creatorLockedLpPercentage,
    migrationQuoteThreshold: threshold,
    sqrtStartPrice,
    lockedVesting: vesting,
    migrationFeeOption: config.migrationFeeOption,
    tokenSupply: { preMigrationTokenSupply: supply, postMigrationTokenSupply: supply },
    creatorTradingFeePercentage: config.creatorTradingFeePercentage,
    tokenUpdateAuthority: config.tokenUpdateAuthority,
    migrationFee: fee,
    migratedPoolFee: {
      collectFeeMode: migrated?.collectFeeMode ?? 0,
      dynamicFee: migrated?.dynamicFee ?? 0,
      poolFeeBps: migrated?.poolFeeBps ?? 0,
    },
    poolCreationFee: unitsOf(config.poolCreationFee, SOL_DECIMALS) ?? 0n,
    partnerLiquidityVestingInfo: liquidityVestingOf(config.partnerLiquidityVesting),
    creatorLiquidityVestingInfo: liquidityVestingOf(config.creatorLiquidityVesting),
    migratedPoolBaseFeeMode: migrated?.baseFeeMode ?? 0,
    migratedPoolMarketCapFeeSchedulerParams: schedulerOf(migrated),
    enableFirstSwapWithMinFee: config.enableFirstSwapWithMinFee,
    compoundingFeeBps: migrated?.compoundingFeeBps ?? 0,
    padding: [0, 0],
    curve: [...curve],
  }
}

const MAX_VOLATILITY_ACCUMULATOR = 14_460_000
const VARIABLE_FEE_SCALE = 100_000_000_000n

/** A dynamic fee of at most a fifth of the base fee, at price changes of 15 %: what the SDK makes of `dynamicFeeEnabled`. */
const dynamicFee = (baseFeeBps: number) => {
  const most = (BigInt(baseFeeBps) * 100_000n * 20n) / 100n
  const control = (most * VARIABLE_FEE_SCALE - (VARIABLE_FEE_SCALE - 1n)) / BigInt(MAX_VOLATILITY_ACCUMULATOR) ** 2n
  return {
    binStep: 1,
    binStepU128: 1_844_674_407_370_955n,
    filterPeriod: 10,
    decayPeriod: 120,
    reductionFactor: 5_000,
    maxVolatilityAccumulator: MAX_VOLATILITY_ACCUMULATOR,
    variableFeeControl: Number(control),
  }
}
