import { Schema } from "effect"
import { Decimal } from "../amounts/Decimal.ts"
import { Address } from "../solana/Address.ts"

/** An integer of an enumeration of the DBC program. */
const oneOf = <const Values extends ReadonlyArray<number>>(values: Values) => Schema.Literals(values)

const optional = Schema.optionalKey
const basisPoints = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))
const percentage = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))
/** Seconds or slots (as `activationType` says), or a number of periods: whole and not negative. */
const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/**
 * The points of the curve, in the terms of the chosen `buildCurveMode` (DBC SDK `buildCurve*`):
 * 0 `percentageSupplyOnMigration` + `migrationQuoteThreshold`; 1 initial + migration market cap; 2 as 1 +
 * `percentageSupplyOnMigration`; 3 as 1 + sixteen `liquidityWeights`. Amounts in whole quote tokens.
 */
export const BuildCurveParam = Schema.Struct({
  percentageSupplyOnMigration: optional(percentage),
  migrationQuoteThreshold: optional(Decimal),
  initialMarketCap: optional(Decimal),
  migrationMarketCap: optional(Decimal),
  liquidityWeights: optional(
    Schema.Array(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))).check(Schema.isMaxLength(16)),
  ),
}).annotate({ identifier: "BuildCurveParamDraft" })

/** A base fee that falls from `startingFeeBps` to `endingFeeBps` in `numberOfPeriod` steps over `totalDuration`. */
export const FeeSchedulerParam = Schema.Struct({
  startingFeeBps: optional(basisPoints),
  endingFeeBps: optional(basisPoints),
  numberOfPeriod: optional(count),
  totalDuration: optional(count),
}).annotate({ identifier: "FeeSchedulerParamDraft" })

/** A base fee that rises with the size of the trade; `referenceAmount` in whole quote tokens. */
export const RateLimiterParam = Schema.Struct({
  baseFeeBps: optional(basisPoints),
  feeIncrementBps: optional(basisPoints),
  referenceAmount: optional(Decimal),
  maxLimiterDuration: optional(count),
}).annotate({ identifier: "RateLimiterParamDraft" })

/** `baseFeeMode` 0 linear and 1 exponential scheduler, 2 rate limiter; with the parameters of that mode. */
export const BaseFeeParams = Schema.Struct({
  baseFeeMode: optional(oneOf([0, 1, 2])),
  feeSchedulerParam: optional(FeeSchedulerParam),
  rateLimiterParam: optional(RateLimiterParam),
}).annotate({ identifier: "BaseFeeParamsDraft" })

/** Base tokens locked at migration and released over time; amounts in whole base tokens, durations in seconds. */
export const LockedVestingParam = Schema.Struct({
  totalLockedVestingAmount: optional(Decimal),
  numberOfVestingPeriod: optional(count),
  cliffUnlockAmount: optional(Decimal),
  totalVestingDuration: optional(count),
  cliffDurationFromMigrationTime: optional(count),
}).annotate({ identifier: "LockedVestingParamDraft" })

/** The share of the raised quote tokens kept at migration, and the creator's part of it, in percent. */
export const MigrationFee = Schema.Struct({
  feePercentage: optional(percentage),
  creatorFeePercentage: optional(percentage),
}).annotate({ identifier: "MigrationFeeDraft" })

/** The fees of the pool migrated to, for `migrationFeeOption` 6 (customizable). */
export const MigratedPoolFee = Schema.Struct({
  collectFeeMode: optional(oneOf([0, 1, 2])),
  dynamicFee: optional(oneOf([0, 1])),
  poolFeeBps: optional(basisPoints),
  compoundingFeeBps: optional(basisPoints),
}).annotate({ identifier: "MigratedPoolFeeDraft" })

/**
 * A dynamic bonding curve configuration, in the fields of the specification (section 2) and of the DBC SDK for the
 * groups that it leaves open. Every field is optional here: the registry stores what was launched with, and the
 * builder of launch transactions says what it is missing.
 */
export const DbcConfig = Schema.Struct({
  buildCurveMode: optional(oneOf([0, 1, 2, 3])),
  totalTokenSupply: optional(Decimal),
  migrationOption: optional(oneOf([0, 1])),
  tokenBaseDecimal: optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 18 }))),
  tokenQuoteDecimal: optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 18 }))),
  dynamicFeeEnabled: optional(Schema.Boolean),
  activationType: optional(oneOf([0, 1])),
  collectFeeMode: optional(oneOf([0, 1])),
  migrationFeeOption: optional(oneOf([0, 1, 2, 3, 4, 5, 6])),
  tokenType: optional(oneOf([0, 1])),
  partnerLpPercentage: optional(percentage),
  creatorLpPercentage: optional(percentage),
  partnerLockedLpPercentage: optional(percentage),
  creatorLockedLpPercentage: optional(percentage),
  creatorTradingFeePercentage: optional(percentage),
  leftover: optional(Decimal),
  tokenUpdateAuthority: optional(oneOf([0, 1, 2, 3, 4])),
  leftoverReceiver: optional(Address),
  feeClaimer: optional(Address),
  poolCreationFee: optional(Decimal).annotateKey({ description: "In SOL; 0 or 0.001 to 100" }),
  enableFirstSwapWithMinFee: optional(Schema.Boolean),
  buildCurveParam: optional(BuildCurveParam),
  baseFeeParams: optional(BaseFeeParams),
  lockedVestingParam: optional(LockedVestingParam),
  migrationFee: optional(MigrationFee),
  migratedPoolFee: optional(MigratedPoolFee),
}).annotate({ identifier: "DbcConfigDraft" })
export type DbcConfig = typeof DbcConfig.Type
