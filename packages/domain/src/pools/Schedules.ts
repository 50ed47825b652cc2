import { Schema } from "effect"
import { field } from "../http/Field.ts"

const units = (what: string) => field(Schema.String, `${what}, in smallest units of the base token, a decimal string`)
const whole = (what: string) => field(Schema.String, `${what}, a decimal string`)

/** Base tokens that are released at one time, or at times of equal distance. */
export const VestingRelease = Schema.Struct({
  secondsAfterCompletion: whole("Seconds from the completion of the curve to the first of these releases"),
  amount: units("Released each time"),
  times: whole("How many releases there are"),
  everySeconds: whole("Seconds between two of them; 0 for a single one"),
}).annotate({ identifier: "VestingRelease", description: "Releases of the same amount at equal distances" })

/** The vesting of the creator's base tokens as the configuration has it. */
export const LockedVesting = Schema.Struct({
  total: units("All that is locked; 0 without vesting"),
  amountPerPeriod: units("Released after each period"),
  numberOfPeriod: whole("Number of periods"),
  frequency: whole("Length of a period in seconds"),
  cliffUnlockAmount: units("Released at the cliff, with what does not divide by the periods"),
  cliffDurationFromMigrationTime: whole("Seconds from the completion of the curve to the cliff"),
  releases: field(Schema.Array(VestingRelease), "What is released when, first things first; empty without vesting"),
}).annotate({
  identifier: "LockedVesting",
  description: "Base tokens that are locked at migration, and when they are released",
})
export type LockedVesting = typeof LockedVesting.Encoded

/** The base fee of the curve over time, as the configuration has it. */
export const FeeSchedule = Schema.Struct({
  startingFeeBps: field(Schema.Finite, "Base fee when the pool opens, in basis points"),
  endingFeeBps: field(Schema.Finite, "Base fee after the last period, in basis points, as the program computes it"),
  numberOfPeriod: field(Schema.Int, "Number of steps in which the fee falls; 0 for a constant fee"),
  periodFrequency: whole("Length of a step in seconds, or slots with activationType 0"),
  totalDuration: whole("From the opening of the pool to the last step, in seconds or slots"),
  reductionFactor: whole(
    "What each step takes: with baseFeeMode 0 of the fee in billionths, with baseFeeMode 1 the share of the fee in basis points",
  ),
}).annotate({ identifier: "FeeSchedule", description: "Base fee of the curve over time" })
export type FeeSchedule = typeof FeeSchedule.Encoded

/** Liquidity of the migrated pool that is released over time, as the configuration has it. */
export const LiquidityVestingTerms = Schema.Struct({
  vestingPercentage: field(Schema.Int, "Share of the migrated liquidity, in percent"),
  bpsPerPeriod: field(Schema.Int, "Released after each period, in basis points of this share; the rest at the cliff"),
  numberOfPeriods: field(Schema.Int, "Number of periods"),
  frequency: field(Schema.Int, "Length of a period in seconds"),
  cliffDurationFromMigrationTime: field(Schema.Int, "Seconds from the migration to the cliff"),
}).annotate({ identifier: "LiquidityVestingTerms", description: "Liquidity that is released over time" })

/** The base fee of the migrated pool by its market cap. */
export const MarketCapFeeScheduler = Schema.Struct({
  numberOfPeriod: field(Schema.Int, "Number of steps in which the fee falls"),
  sqrtPriceStepBps: field(Schema.Int, "Rise of the square root of the price for each step, in basis points"),
  schedulerExpirationDuration: field(Schema.Int, "Time after which the fee is that of the last step"),
  reductionFactor: whole("What each step takes, as in FeeSchedule"),
}).annotate({ identifier: "MarketCapFeeScheduler", description: "Base fee of the migrated pool by its market cap" })

/** The schedules of the configuration of a launch: what lands, to the unit and the second. */
export const LaunchTerms = Schema.Struct({
  feeSchedule: field(Schema.NullOr(FeeSchedule), "Base fee over time; null with a rate limiter"),
  lockedVesting: field(LockedVesting, "The creator's tokens that are locked at migration"),
}).annotate({ identifier: "LaunchTerms", description: "Schedules of the configuration as they land" })
export type LaunchTerms = typeof LaunchTerms.Encoded
