import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import type { FeeSchedulerParam } from "@launch-registry/domain/pools/DbcConfig"
import type { CompleteDbcConfig } from "./ConfigPreset.ts"
import { isReservedAddress } from "../build/SigningKeys.ts"
import { U64_MAX } from "../dbc/CurveMath.ts"
import { feeSchedule } from "../dbc/FeeSchedule.ts"
import { fractionOf, unitsOf } from "./Fraction.ts"
import { migrationRules } from "./MigrationRules.ts"
import { multipleOf, type Require } from "./RuleSet.ts"

const FEE_BPS_MIN = 25
const FEE_BPS_MAX = 9_900

/**
 * What the DBC program would refuse in `config`, or what would not land as it is asked, each with the field and the rule. Empty
 * when nothing is known to be wrong that needs no look at the chain. (DBC program 0.1.10 and 0.2.1.)
 */
export const configIssues = (config: CompleteDbcConfig): ReadonlyArray<InvalidIssue> => {
  const issues: Array<InvalidIssue> = []
  const require = (holds: boolean, field: string, message: string) => {
    if (holds) return
    const given = valueAt(config, field)
    issues.push({
      path: `body.dbcConfig.${field}`,
      message: given === undefined ? message : `${message} (given: ${given})`,
    })
  }
  tokenRules(config, require)
  curveRules(config, require)
  feeRules(config, require)
  migrationRules(config, require)
  vestingRules(config, require)
  return issues
}

/** The value of a field, when it is one that can be shown. */
const valueAt = (config: CompleteDbcConfig, field: string): string | undefined => {
  const value = field
    .split(".")
    .reduce<unknown>((group, name) => (group as Readonly<Record<string, unknown>> | undefined)?.[name], config)
  return typeof value === "number" || typeof value === "string" ? String(value) : undefined
}

const tokenRules = (config: CompleteDbcConfig, require: Require): void => {
  require(config.tokenBaseDecimal >= 6 && config.tokenBaseDecimal <= 9, "tokenBaseDecimal", "expected 6 to 9 decimals")
  for (const field of ["leftoverReceiver", "feeClaimer"] as const)
    require(!isReservedAddress(
      config[field] ?? "",
    ), field, "expected an address that somebody can claim with, not that of a program or sysvar")
  const { lockedVestingParam: vesting, tokenBaseDecimal: decimals } = config
  const isWhole = (amount: string | undefined) => unitsOf(amount ?? "0", decimals) !== undefined
  const whole = `expected at most ${decimals} decimals, those of the token`
  require(isWhole(config.totalTokenSupply), "totalTokenSupply", whole)
  require(isWhole(config.leftover), "leftover", whole)
  for (const field of ["totalLockedVestingAmount", "cliffUnlockAmount"] as const)
    require(isWhole(vesting[field]), `lockedVestingParam.${field}`, whole)
  const supply = unitsOf(config.totalTokenSupply, decimals) ?? 1n
  require(supply > 0n, "totalTokenSupply", "expected a supply above 0")
  require(supply <= U64_MAX, "totalTokenSupply", "expected a supply that fits 64 bits in smallest units")
  require(config.tokenUpdateAuthority <=
    2, "tokenUpdateAuthority", "expected 0, 1 or 2: options that keep the mint authority are refused")
  const leftover = unitsOf(config.leftover, decimals) ?? 0n
  require(leftover < supply, "leftover", "expected less than the total supply")
}

const curveRules = ({ buildCurveMode, buildCurveParam: curve }: CompleteDbcConfig, require: Require): void => {
  const needs = (field: keyof typeof curve) =>
    require(curve[field] !== undefined &&
      Number(curve[field]) >
        0, `buildCurveParam.${field}`, `expected a value above 0 with buildCurveMode ${buildCurveMode}`)
  if (buildCurveMode === 0 || buildCurveMode === 2) {
    needs("percentageSupplyOnMigration")
    require((curve.percentageSupplyOnMigration ?? 0) <
      100, "buildCurveParam.percentageSupplyOnMigration", "expected less than 100")
  }
  if (buildCurveMode === 0) return needs("migrationQuoteThreshold")
  needs("initialMarketCap")
  needs("migrationMarketCap")
  require(Number(curve.initialMarketCap ?? 0) <
    Number(
      curve.migrationMarketCap ?? Infinity,
    ), "buildCurveParam.initialMarketCap", "expected less than migrationMarketCap")
  if (buildCurveMode === 3) {
    const weights = curve.liquidityWeights ?? []
    require(weights.length === 16 &&
      weights.every(
        (weight) => fractionOf(weight).dividend > 0n,
      ), "buildCurveParam.liquidityWeights", "expected sixteen weights above 0, with at most 40 digits on either side of the point")
  }
}

/** The number of periods has 16 bits. */
const PERIODS_MAX = 65_535

const scheduleRules = (
  { endingFeeBps = 0, numberOfPeriod = 0, startingFeeBps = 0, totalDuration = 0 }: FeeSchedulerParam,
  baseFeeMode: 0 | 1,
  require: Require,
): void => {
  const field = "baseFeeParams.feeSchedulerParam"
  const isStart = startingFeeBps >= FEE_BPS_MIN && startingFeeBps <= FEE_BPS_MAX
  const isEnd = endingFeeBps >= FEE_BPS_MIN && endingFeeBps <= startingFeeBps
  require(isStart, `${field}.startingFeeBps`, `expected ${FEE_BPS_MIN} to ${FEE_BPS_MAX}`)
  require(isEnd, `${field}.endingFeeBps`, `expected ${FEE_BPS_MIN} up to startingFeeBps`)
  const isFlat = startingFeeBps === endingFeeBps
  const even = "expected 0 for an even fee and more for a falling one"
  require(isFlat === (numberOfPeriod === 0), `${field}.numberOfPeriod`, even)
  require(isFlat === (totalDuration === 0), `${field}.totalDuration`, even)
  if (isFlat || numberOfPeriod === 0) return
  const isCounted = numberOfPeriod <= PERIODS_MAX
  require(isCounted, `${field}.numberOfPeriod`, `expected at most ${PERIODS_MAX}`)
  const isMultiple = totalDuration % numberOfPeriod === 0
  require(isMultiple, `${field}.totalDuration`, multipleOf(totalDuration, numberOfPeriod))
  if (!isStart || !isEnd || !isCounted) return
  const { reductionFactor } = feeSchedule({ endingFeeBps, numberOfPeriod, startingFeeBps, totalDuration, baseFeeMode })
  const tooSmall = "expected fewer: in each period the fee would fall by less than the program counts"
  require(reductionFactor > 0n, `${field}.numberOfPeriod`, tooSmall)
}

const feeRules = (config: CompleteDbcConfig, require: Require): void => {
  const { baseFeeMode = 0, feeSchedulerParam = {} } = config.baseFeeParams
  require(baseFeeMode !== 2, "baseFeeParams.baseFeeMode", "expected 0 or 1: the program takes no new rate limiter")
  if (baseFeeMode !== 2) scheduleRules(feeSchedulerParam, baseFeeMode, require)
  require(Number.isInteger(
    config.creatorTradingFeePercentage,
  ), "creatorTradingFeePercentage", "expected a whole number")
  const creationFee = unitsOf(config.poolCreationFee, 9) ?? -1n
  require(creationFee === 0n ||
    (creationFee >= 1_000_000n &&
      creationFee <= 100_000_000_000n), "poolCreationFee", "expected 0, or 0.001 to 100 SOL in whole lamports")
}

const vestingRules = (
  { leftover, lockedVestingParam: vesting, tokenBaseDecimal, totalTokenSupply }: CompleteDbcConfig,
  require: Require,
): void => {
  const [total, cliff, kept, supply] = [
    ...[vesting.totalLockedVestingAmount, vesting.cliffUnlockAmount, leftover, totalTokenSupply],
  ].map((amount) => unitsOf(amount ?? "0", tokenBaseDecimal))
  // Said before, where one has more decimals than the token.
  if (total === undefined || cliff === undefined || kept === undefined || supply === undefined) return
  const { cliffDurationFromMigrationTime = 0, numberOfVestingPeriod: periods = 0, totalVestingDuration = 0 } = vesting
  require(total === 0n ||
    total + kept <
      supply, "lockedVestingParam.totalLockedVestingAmount", "expected less than the total supply, together with the leftover")
  if (total === 0n) {
    const isEmpty = cliff === 0n && periods === 0 && totalVestingDuration === 0 && cliffDurationFromMigrationTime === 0
    return require(isEmpty, "lockedVestingParam.totalLockedVestingAmount", "expected above 0 when anything else of the vesting is")
  }
  require(cliff <= total, "lockedVestingParam.cliffUnlockAmount", "expected at most totalLockedVestingAmount")
  // All of it at the cliff: no periods are needed.
  if (cliff >= total) return
  require(periods > 0, "lockedVestingParam.numberOfVestingPeriod", "expected above 0")
  require(BigInt(periods) <=
    total -
      cliff, "lockedVestingParam.numberOfVestingPeriod", `expected at most ${total - cliff}, one for each smallest unit that is released in them`)
  require(totalVestingDuration > 0, "lockedVestingParam.totalVestingDuration", "expected above 0")
  require(periods === 0 || totalVestingDuration % periods === 0, "lockedVestingParam.totalVestingDuration", multipleOf(
    totalVestingDuration,
    periods,
  ))
}
