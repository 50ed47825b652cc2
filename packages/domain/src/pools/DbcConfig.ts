import { Schema } from "effect"
import { Decimal } from "../amounts/Decimal.ts"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"

/** An integer of an enumeration of the DBC program. */
const oneOf = <const Values extends ReadonlyArray<number>>(values: Values) => Schema.Literals(values)

const optional = Schema.optionalKey
const basisPoints = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))
const percentage = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 100 }))
/** Seconds or slots, depending on `activationType`, or a number of periods: whole, not negative. */
const count = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/**
 * The curve's parameters by `buildCurveMode` (DBC SDK `buildCurve*`): 0 `percentageSupplyOnMigration` +
 * `migrationQuoteThreshold`; 1 initial + migration market cap; 2 as 1 + `percentageSupplyOnMigration`; 3 as 1 + sixteen
 * `liquidityWeights`. Amounts in whole quote tokens.
 */
export const BuildCurveParam = Schema.Struct({
  percentageSupplyOnMigration: optional(
    field(percentage, "Modes 0 and 2: percent of the supply that goes into the migrated pool, above 0 and below 100"),
  ),
  migrationQuoteThreshold: optional(
    field(Decimal, "Mode 0: quote tokens that the curve raises before it migrates, in whole tokens"),
  ),
  initialMarketCap: optional(
    field(Decimal, "Modes 1, 2 and 3: market cap at the start of the curve, in whole quote tokens"),
  ),
  migrationMarketCap: optional(
    field(Decimal, "Modes 1, 2 and 3: market cap at migration, in whole quote tokens; above initialMarketCap"),
  ),
  liquidityWeights: optional(
    field(
      Schema.Array(Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))).check(Schema.isMaxLength(16)),
      "Mode 3: sixteen weights, one for each segment of the curve, lowest price first, each above 0",
    ),
  ),
}).annotate({
  identifier: "BuildCurveParamDraft",
  description: "Shape of the curve: the fields that buildCurveMode requires",
})

/** A base fee that falls from `startingFeeBps` to `endingFeeBps` in `numberOfPeriod` steps over `totalDuration`. */
export const FeeSchedulerParam = Schema.Struct({
  startingFeeBps: optional(field(basisPoints, "Base fee when the pool opens, in basis points, 25 to 9900")),
  endingFeeBps: optional(field(basisPoints, "Base fee after totalDuration, in basis points, 25 to startingFeeBps")),
  numberOfPeriod: optional(
    field(count, "Number of steps in which the fee falls; 0 if and only if the fee is constant"),
  ),
  totalDuration: optional(
    field(
      count,
      "Time until endingFeeBps, in slots or seconds by activationType; 0 if and only if the fee is constant",
    ),
  ),
}).annotate({
  identifier: "FeeSchedulerParamDraft",
  description: "Fee scheduler: a base fee that falls step by step after the pool opens",
})

export type FeeSchedulerParam = typeof FeeSchedulerParam.Type

/** A base fee that rises with the size of the trade; `referenceAmount` in whole quote tokens. */
export const RateLimiterParam = Schema.Struct({
  baseFeeBps: optional(field(basisPoints, "Fee of a swap up to referenceAmount, in basis points")),
  feeIncrementBps: optional(field(basisPoints, "Added to the fee for each further referenceAmount, in basis points")),
  referenceAmount: optional(field(Decimal, "Size of a swap from which the fee rises, in whole quote tokens")),
  maxLimiterDuration: optional(
    field(count, "Time after activation during which the limiter applies, in slots or seconds by activationType"),
  ),
}).annotate({
  identifier: "RateLimiterParamDraft",
  description: "Rate limiter: a base fee that rises with the size of the swap. Rejected for new configurations",
})

/** Base fee: `baseFeeMode` 0 linear or 1 exponential scheduler, 2 rate limiter, and the parameters of that mode. */
export const BaseFeeParams = Schema.Struct({
  baseFeeMode: optional(
    field(
      oneOf([0, 1, 2]),
      "0: linear fee scheduler. 1: exponential fee scheduler. 2: rate limiter, rejected for new configurations",
    ),
  ),
  feeSchedulerParam: optional(FeeSchedulerParam),
  rateLimiterParam: optional(RateLimiterParam),
}).annotate({ identifier: "BaseFeeParamsDraft", description: "Base fee of swaps on the curve" })

/** Base tokens locked at migration and released over time; amounts in whole base tokens, durations in seconds. */
export const LockedVestingParam = Schema.Struct({
  totalLockedVestingAmount: optional(field(Decimal, "Base tokens locked at migration, in whole tokens; 0: none")),
  numberOfVestingPeriod: optional(field(count, "Number of equal releases after the cliff")),
  cliffUnlockAmount: optional(
    field(Decimal, "Base tokens released at the cliff, in whole tokens, at most totalLockedVestingAmount"),
  ),
  totalVestingDuration: optional(
    field(count, "Time from the cliff to the last release, in seconds, a multiple of numberOfVestingPeriod"),
  ),
  cliffDurationFromMigrationTime: optional(field(count, "Time from migration to the cliff, in seconds")),
}).annotate({
  identifier: "LockedVestingParamDraft",
  description: "Vesting: base tokens that are locked at migration and released over time",
})

/** The share of the raised quote tokens taken at migration, and the creator's part of it, in percent. */
export const MigrationFee = Schema.Struct({
  feePercentage: optional(
    field(
      percentage,
      "Share of the raised quote tokens that platform and creator receive at migration, a whole percentage from 0 to 99",
    ),
  ),
  creatorFeePercentage: optional(
    field(
      percentage,
      "Creator's part of that share, a whole percentage from 0 to 100; the rest goes to the platform. 0 if feePercentage is 0",
    ),
  ),
}).annotate({
  identifier: "MigrationFeeDraft",
  description: "Fee on the raised quote tokens at migration",
})

/** A base fee of the migrated pool that falls as the price rises above that at migration. */
export const MarketCapFeeSchedulerParams = Schema.Struct({
  endingBaseFeeBps: optional(field(basisPoints, "Base fee after the last period, in basis points, below poolFeeBps")),
  numberOfPeriod: optional(field(count, "Number of steps in which the fee falls, 1 to 65535")),
  sqrtPriceStepBps: optional(
    field(
      count,
      "Rise of the square root of the price for each step, in basis points of that at migration, 1 to 65535",
    ),
  ),
  schedulerExpirationDuration: optional(
    field(count, "Time after which the fee is that of the last step, in seconds or slots, 1 to 4294967295"),
  ),
}).annotate({
  identifier: "MarketCapFeeSchedulerParamsDraft",
  description: "Market-cap fee scheduler of the migrated pool",
})

/** Liquidity of the migrated pool that is released over time (`LiquidityVestingInfoParams`). */
export const LiquidityVesting = Schema.Struct({
  vestingPercentage: optional(field(percentage, "Share of the migrated liquidity, a whole percentage above 0")),
  bpsPerPeriod: optional(field(basisPoints, "Released after each period, in basis points of this share")),
  numberOfPeriods: optional(field(count, "Number of periods; what they do not release is released at the cliff")),
  cliffDurationFromMigrationTime: optional(field(count, "Seconds from the migration to the cliff")),
  totalDuration: optional(field(count, "Seconds from the cliff to the last release, a multiple of numberOfPeriods")),
}).annotate({
  identifier: "LiquidityVestingDraft",
  description: "Liquidity of the migrated pool that is locked and released over time, two years at most",
})
export type LiquidityVesting = typeof LiquidityVesting.Type

/** Fees of the migrated pool, for `migrationFeeOption` 6 (customizable). */
export const MigratedPoolFee = Schema.Struct({
  collectFeeMode: optional(
    field(
      oneOf([0, 1, 2]),
      "Token of the fees. 0: quote. 1: output. 2: compounding, a part goes back into the liquidity",
    ),
  ),
  dynamicFee: optional(field(oneOf([0, 1]), "Dynamic fee on top of the base fee. 0: off. 1: on")),
  poolFeeBps: optional(field(basisPoints, "Base fee of the migrated pool, in basis points, 10 to 1000")),
  compoundingFeeBps: optional(
    field(
      basisPoints,
      "Part of the fee that is compounded, in basis points; above 0 if and only if collectFeeMode is 2",
    ),
  ),
  baseFeeMode: optional(
    field(
      oneOf([0, 3, 4]),
      "Base fee over time. 0: constant. 3: falls linearly, 4: exponentially with the market cap, by marketCapFeeSchedulerParams",
    ),
  ),
  marketCapFeeSchedulerParams: optional(MarketCapFeeSchedulerParams),
}).annotate({
  identifier: "MigratedPoolFeeDraft",
  description: "Fees of the pool that the curve migrates to; only with migrationFeeOption 6",
})

export type MigratedPoolFee = typeof MigratedPoolFee.Type

/**
 * A DBC configuration, with the field names of the DBC SDK. Every field is optional: the registry stores what is known
 * of a token, and the builder of launch transactions reports missing fields.
 */
export const DbcConfig = Schema.Struct({
  buildCurveMode: optional(
    field(
      oneOf([0, 1, 2, 3]),
      "How buildCurveParam shapes the curve. 0: supply on migration and threshold. 1: initial and migration market cap. 2: as 1, with supply on migration (two segments). 3: as 1, with sixteen liquidity weights",
    ),
  ),
  totalTokenSupply: optional(field(Decimal, "Supply of the base token, in whole tokens")),
  migrationOption: optional(
    field(oneOf([0, 1]), "Pool that the curve migrates to. 0: DAMM v1, rejected for new configurations. 1: DAMM v2"),
  ),
  tokenBaseDecimal: optional(
    field(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 18 })),
      "Decimals of the base token; 6 to 9 for a launch",
    ),
  ),
  tokenQuoteDecimal: optional(
    field(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 18 })),
      "Decimals of the quote token, those of its mint: a launch reads them there where this is left out",
    ),
  ),
  dynamicFeeEnabled: optional(
    field(Schema.Boolean, "Whether a dynamic fee, which follows volatility, is added to the base fee"),
  ),
  activationType: optional(field(oneOf([0, 1]), "Unit of time of the pool. 0: slots. 1: seconds (timestamps)")),
  collectFeeMode: optional(
    field(oneOf([0, 1]), "Token in which swap fees are collected. 0: the quote token. 1: the output token of the swap"),
  ),
  migrationFeeOption: optional(
    field(
      oneOf([0, 1, 2, 3, 4, 5, 6]),
      "Fee of the migrated pool. 0: 0.25 %. 1: 0.3 %. 2: 1 %. 3: 2 %. 4: 4 %. 5: 6 %. 6: customizable, see migratedPoolFee",
    ),
  ),
  tokenType: optional(field(oneOf([0, 1]), "Token program of the base token. 0: SPL Token. 1: Token-2022")),
  partnerLpPercentage: optional(
    field(
      percentage,
      "Platform's part of the migrated liquidity that it can withdraw, a whole percentage; with what vests all parts add up to 100",
    ),
  ),
  creatorLpPercentage: optional(
    field(percentage, "Creator's part of the migrated liquidity that they can withdraw, a whole percentage"),
  ),
  partnerLockedLpPercentage: optional(
    field(
      percentage,
      "Platform's part of the migrated liquidity that is permanently locked, a whole percentage; its fees can be claimed",
    ),
  ),
  creatorLockedLpPercentage: optional(
    field(
      percentage,
      "Creator's part of the migrated liquidity that is permanently locked, a whole percentage; its fees can be claimed",
    ),
  ),
  creatorTradingFeePercentage: optional(
    field(
      percentage,
      "Creator's part of the trading fees of the curve, a whole percentage from 0 to 100; the rest is the platform's",
    ),
  ),
  leftover: optional(field(Decimal, "Base tokens left for leftoverReceiver after migration, in whole tokens")),
  tokenUpdateAuthority: optional(
    field(
      oneOf([0, 1, 2, 3, 4]),
      "Who may update the token metadata. 0: the creator. 1: no one. 2: the platform. 3 and 4: creator or platform, plus the mint authority; rejected for a launch",
    ),
  ),
  leftoverReceiver: optional(field(Address, "Account that receives the leftover base tokens")),
  feeClaimer: optional(field(Address, "Account that may claim the platform's share of the fees")),
  poolCreationFee: optional(
    field(Decimal, "Fee for creating a pool with this configuration, in SOL: 0, or 0.001 to 100"),
  ),
  enableFirstSwapWithMinFee: optional(
    field(
      Schema.Boolean,
      "Whether a swap in the transaction that creates the pool pays the lowest fee of the schedule",
    ),
  ),
  buildCurveParam: optional(BuildCurveParam),
  baseFeeParams: optional(BaseFeeParams),
  lockedVestingParam: optional(LockedVestingParam),
  migrationFee: optional(MigrationFee),
  migratedPoolFee: optional(MigratedPoolFee),
  partnerLiquidityVesting: optional(LiquidityVesting),
  creatorLiquidityVesting: optional(LiquidityVesting),
}).annotate({
  identifier: "DbcConfigDraft",
  description:
    "Dynamic Bonding Curve configuration. Each field is optional: a token has those that are known, and `POST /api/launch/dbc-config` takes absent fields from the preset of the launchpad",
})
export type DbcConfig = typeof DbcConfig.Type
