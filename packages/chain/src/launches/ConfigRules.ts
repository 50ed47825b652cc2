import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import type { CompleteDbcConfig } from "./ConfigPreset.ts"
import { isReservedAddress } from "../build/SigningKeys.ts"

const FEE_BPS_MIN = 25
const FEE_BPS_MAX = 9_900
const CUSTOMIZABLE_FEE_OPTION = 6
const LOCKED_PERCENTAGE_MIN = 10

/**
 * What the DBC program or its SDK would refuse in `config`, or silently drop, each with the field and the rule. Empty
 * when nothing is known to be wrong. (DBC program 0.1.10 and SDK 1.5.12; the SDK's own message is opaque or missing
 * for most of these.)
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

type Require = (holds: boolean, field: string, message: string) => void

const tokenRules = (config: CompleteDbcConfig, require: Require): void => {
  require(config.tokenBaseDecimal >= 6 && config.tokenBaseDecimal <= 9, "tokenBaseDecimal", "expected 6 to 9 decimals")
  require(config.tokenQuoteDecimal >= 6 &&
    config.tokenQuoteDecimal <= 9, "tokenQuoteDecimal", "expected 6 to 9 decimals")
  for (const field of ["leftoverReceiver", "feeClaimer"] as const)
    require(!isReservedAddress(
      config[field] ?? "",
    ), field, "expected an address that somebody can claim with, not that of a program or sysvar")
  const supply = Number(config.totalTokenSupply)
  require(supply > 0, "totalTokenSupply", "expected a supply above 0")
  require(supply * 10 ** config.tokenBaseDecimal <
    2 ** 64, "totalTokenSupply", "expected a supply that fits 64 bits in smallest units")
  require(config.tokenUpdateAuthority <=
    2, "tokenUpdateAuthority", "expected 0, 1 or 2: options that keep the mint authority are refused")
  require(config.buildCurveMode < 2 ||
    Number(config.leftover) > 0, "leftover", "expected a leftover above 0 with buildCurveMode 2 or 3")
  // The SDK builds such curves, and rounding mostly takes a few units more than the supply (program error 6020).
  require(config.buildCurveMode !== 1 ||
    Number(config.leftover) > 0 ||
    (config.migrationFee.feePercentage ?? 0) ===
      0, "leftover", "expected a leftover above 0 with buildCurveMode 1 and a migration fee")
  require(Number(config.leftover) < supply, "leftover", "expected less than the total supply")
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
      weights.some((weight) => weight > 0), "buildCurveParam.liquidityWeights", "expected sixteen weights, not all 0")
  }
}

const feeRules = (config: CompleteDbcConfig, require: Require): void => {
  const { baseFeeMode = 0, feeSchedulerParam = {} } = config.baseFeeParams
  require(baseFeeMode !== 2, "baseFeeParams.baseFeeMode", "expected 0 or 1: the program takes no new rate limiter")
  const { endingFeeBps = 0, numberOfPeriod = 0, startingFeeBps = 0, totalDuration = 0 } = feeSchedulerParam
  const field = "baseFeeParams.feeSchedulerParam"
  if (baseFeeMode !== 2) {
    require(startingFeeBps >= FEE_BPS_MIN &&
      startingFeeBps <= FEE_BPS_MAX, `${field}.startingFeeBps`, `expected ${FEE_BPS_MIN} to ${FEE_BPS_MAX}`)
    require(endingFeeBps >= FEE_BPS_MIN &&
      endingFeeBps <= startingFeeBps, `${field}.endingFeeBps`, `expected ${FEE_BPS_MIN} up to startingFeeBps`)
    const isFlat = startingFeeBps === endingFeeBps
    require(isFlat ===
      (numberOfPeriod === 0), `${field}.numberOfPeriod`, "expected 0 for an even fee and more for a falling one")
    require(isFlat ===
      (totalDuration === 0), `${field}.totalDuration`, "expected 0 for an even fee and more for a falling one")
  }
  require(Number.isInteger(
    config.creatorTradingFeePercentage,
  ), "creatorTradingFeePercentage", "expected a whole number")
  const creationFee = Number(config.poolCreationFee)
  require(creationFee === 0 ||
    (creationFee >= 0.001 && creationFee <= 100), "poolCreationFee", "expected 0 or 0.001 to 100 SOL")
}

const migrationRules = (config: CompleteDbcConfig, require: Require): void => {
  require(config.migrationOption ===
    1, "migrationOption", "expected 1 (DAMM v2): the program takes no new migration to DAMM v1")
  const { creatorFeePercentage = 0, feePercentage = 0 } = config.migrationFee
  require(Number.isInteger(feePercentage) &&
    feePercentage <= 98, "migrationFee.feePercentage", "expected a whole number from 0 to 98")
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
  const sum = shares.reduce((total, share) => total + config[share], 0)
  for (const share of shares) require(Number.isInteger(config[share]), share, "expected a whole number")
  require(sum ===
    100, "partnerLpPercentage", `expected partner, creator and locked percentages to make 100, not ${sum}`)
  require(config.partnerLockedLpPercentage + config.creatorLockedLpPercentage >=
    LOCKED_PERCENTAGE_MIN, "partnerLockedLpPercentage", `expected at least ${LOCKED_PERCENTAGE_MIN} percent locked`)
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
}

/** Two years (program: `MAX_LOCKED_VESTING_DURATION`). */
const VESTING_SECONDS_MAX = 2 * 365 * 86_400

const vestingRules = (
  { leftover, lockedVestingParam: vesting, totalTokenSupply }: CompleteDbcConfig,
  require: Require,
): void => {
  const total = Number(vesting.totalLockedVestingAmount ?? 0)
  require(total + Number(leftover) <
    Number(
      totalTokenSupply,
    ), "lockedVestingParam.totalLockedVestingAmount", "expected less than the total supply, together with the leftover")
  const cliff = Number(vesting.cliffUnlockAmount ?? 0)
  if (total === 0) {
    const others = [
      cliff,
      vesting.numberOfVestingPeriod ?? 0,
      vesting.totalVestingDuration ?? 0,
      vesting.cliffDurationFromMigrationTime ?? 0,
    ]
    return require(others.every(
      (value) => value === 0,
    ), "lockedVestingParam.totalLockedVestingAmount", "expected above 0 when anything else of the vesting is")
  }
  require(cliff <= total, "lockedVestingParam.cliffUnlockAmount", "expected at most totalLockedVestingAmount")
  require((vesting.numberOfVestingPeriod ?? 0) > 0, "lockedVestingParam.numberOfVestingPeriod", "expected above 0")
  require((vesting.totalVestingDuration ?? 0) <=
    VESTING_SECONDS_MAX, "lockedVestingParam.totalVestingDuration", "expected at most two years in seconds")
  require((vesting.totalVestingDuration ?? 0) > 0, "lockedVestingParam.totalVestingDuration", "expected above 0")
}
