import type { LiquidityVesting, MigratedPoolFee } from "@launch-registry/domain/pools/DbcConfig"
import type { CompleteDbcConfig } from "./ConfigPreset.ts"
import { marketCapReduction } from "./ConfigTerms.ts"
import { U128_MAX } from "../dbc/CurveMath.ts"
import { multipleOf, type Require } from "./RuleSet.ts"

const CUSTOMIZABLE_FEE_OPTION = 6
const LOCKED_BPS_MIN = 1_000

export const migrationRules = (config: CompleteDbcConfig, require: Require): void => {
  require(config.migrationOption ===
    1, "migrationOption", "expected 1 (DAMM v2): the program takes no new migration to DAMM v1")
  const { creatorFeePercentage = 0, feePercentage = 0 } = config.migrationFee
  require(Number.isInteger(feePercentage) &&
    feePercentage <= 99, "migrationFee.feePercentage", "expected a whole number from 0 to 99")
  require(Number.isInteger(
    creatorFeePercentage,
  ), "migrationFee.creatorFeePercentage", "expected a whole number from 0 to 100")
  require(feePercentage > 0 ||
    creatorFeePercentage === 0, "migrationFee.creatorFeePercentage", "expected 0 when feePercentage is 0")
  const shares = [
    "partnerLpPercentage",
    "creatorLpPercentage",
    "partnerLockedLpPercentage",
    "creatorLockedLpPercentage",
  ] as const
  const vesting = [config.partnerLiquidityVesting, config.creatorLiquidityVesting]
  const vested = vesting.reduce((total, one) => total + (one?.vestingPercentage ?? 0), 0)
  const sum = shares.reduce((total, share) => total + config[share], vested)
  for (const share of shares) require(Number.isInteger(config[share]), share, "expected a whole number")
  require(sum ===
    100, "partnerLpPercentage", `expected partner, creator, locked and vesting percentages to make 100, not ${sum}`)
  for (const party of ["partner", "creator"] as const)
    liquidityRules(config[`${party}LiquidityVesting`], `${party}LiquidityVesting`, require)
  const locked = vesting.reduce(
    (total, one) => total + lockedAtDayOne(one),
    (config.partnerLockedLpPercentage + config.creatorLockedLpPercentage) * 100,
  )
  const enough = `expected at least ${LOCKED_BPS_MIN / 100} percent locked a day after the migration, not ${locked / 100}: what vests counts in basis points, rounded down`
  require(locked >= LOCKED_BPS_MIN, "partnerLockedLpPercentage", enough)
  const fee = config.migratedPoolFee
  if (config.migrationFeeOption !== CUSTOMIZABLE_FEE_OPTION) {
    return require(fee === undefined, "migratedPoolFee", "expected only with migrationFeeOption 6: it would be dropped")
  }
  const bps = fee?.poolFeeBps ?? 0
  require(bps >= 10 && bps <= 1000, "migratedPoolFee.poolFeeBps", "expected 10 to 1000 with migrationFeeOption 6")
  const compounds = fee?.collectFeeMode === 2
  require(compounds ===
    (fee?.compoundingFeeBps ?? 0) >
      0, "migratedPoolFee.compoundingFeeBps", "expected above 0 exactly with collectFeeMode 2")
  schedulerRules(fee ?? {}, require)
}

const U16_MAX = 65_535
const U32_MAX = 4_294_967_295

/** The market-cap scheduler of the migrated pool (`PodAlignedFeeMarketCapScheduler`). */
const schedulerRules = (fee: MigratedPoolFee, require: Require): void => {
  const { baseFeeMode = 0, marketCapFeeSchedulerParams: given, poolFeeBps = 0 } = fee
  const field = "migratedPoolFee.marketCapFeeSchedulerParams"
  if (baseFeeMode === 0) return require(given === undefined, field, "expected only with baseFeeMode 3 or 4")
  const {
    endingBaseFeeBps = 0,
    numberOfPeriod = 0,
    schedulerExpirationDuration = 0,
    sqrtPriceStepBps = 0,
  } = given ?? {}
  const within = (value: number, most: number, name: string) =>
    require(value >= 1 && value <= most, `${field}.${name}`, `expected 1 to ${most}`)
  within(numberOfPeriod, U16_MAX, "numberOfPeriod")
  within(sqrtPriceStepBps, U16_MAX, "sqrtPriceStepBps")
  within(schedulerExpirationDuration, U32_MAX, "schedulerExpirationDuration")
  const isBelow = endingBaseFeeBps >= 1 && endingBaseFeeBps < poolFeeBps
  require(isBelow, `${field}.endingBaseFeeBps`, "expected 1 up to below poolFeeBps")
  if (!isBelow || numberOfPeriod < 1 || numberOfPeriod > U16_MAX) return
  const tooSmall = "expected fewer: in each period the fee would fall by less than the program counts"
  require(marketCapReduction(fee) > 0n, `${field}.numberOfPeriod`, tooSmall)
}

const DAY_SECONDS = 86_400
const LIQUIDITY_SECONDS_MAX = 2 * 365 * DAY_SECONDS

/** Liquidity that vests (program: `validate_vesting_parameters`, `MAX_LOCK_DURATION_IN_SECONDS`). */
const liquidityRules = (vesting: LiquidityVesting | undefined, field: string, require: Require): void => {
  if (vesting === undefined) return
  const {
    bpsPerPeriod = 0,
    cliffDurationFromMigrationTime: cliff = 0,
    numberOfPeriods = 0,
    totalDuration = 0,
  } = vesting
  const share = vesting.vestingPercentage ?? 0
  require(Number.isInteger(share) && share > 0, `${field}.vestingPercentage`, "expected a whole number above 0")
  const hasPeriods = numberOfPeriods > 0
  require(hasPeriods || cliff > 0, `${field}.numberOfPeriods`, "expected above 0 without a cliff")
  require(numberOfPeriods <= U16_MAX, `${field}.numberOfPeriods`, `expected at most ${U16_MAX}`)
  require(hasPeriods === bpsPerPeriod > 0, `${field}.bpsPerPeriod`, "expected above 0 exactly with periods")
  require(bpsPerPeriod * numberOfPeriods <=
    10_000, `${field}.bpsPerPeriod`, "expected periods that release 10000 together at most")
  require(hasPeriods === totalDuration > 0, `${field}.totalDuration`, "expected above 0 exactly with periods")
  require(!hasPeriods || totalDuration % numberOfPeriods === 0, `${field}.totalDuration`, multipleOf(
    totalDuration,
    numberOfPeriods,
  ))
  require(cliff + totalDuration <=
    LIQUIDITY_SECONDS_MAX, `${field}.totalDuration`, "expected two years at most, with the cliff")
}

/** Basis points of the liquidity that such a share has locked a day after the migration, rounded as the program does. */
const lockedAtDayOne = (vesting: LiquidityVesting | undefined): number => {
  const {
    bpsPerPeriod = 0,
    cliffDurationFromMigrationTime: cliff = 0,
    numberOfPeriods = 0,
    totalDuration = 0,
  } = vesting ?? {}
  const vested = (U128_MAX * BigInt(Math.floor(vesting?.vestingPercentage ?? 0))) / 100n
  const bpsOf = (liquidity: bigint) => Number((liquidity * 10_000n) / U128_MAX)
  if (cliff > DAY_SECONDS) return bpsOf(vested)
  if (numberOfPeriods === 0 || totalDuration === 0) return 0
  const perPeriod = (vested * BigInt(bpsPerPeriod * numberOfPeriods)) / 10_000n / BigInt(numberOfPeriods)
  const passed = Math.floor(((DAY_SECONDS - cliff) * numberOfPeriods) / totalDuration)
  return bpsOf(perPeriod * BigInt(Math.max(numberOfPeriods - passed, 0)))
}
