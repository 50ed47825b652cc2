import { AccountReader } from "../accounts/AccountReader.ts"
import type { FeeSchedule } from "./FeeSchedule.ts"

/** `PoolConfig` and `ConfigWithTransferHook` (DBC IDL 0.2.1) share their first 1,048 bytes. */
const DISCRIMINATORS = ["1a6c0e7b74e6812b", "28dcc2fb29c77bfd"]
const LENGTH_BYTES = 1048
const CURVE_OFFSET = 408
const CURVE_POINT_BYTES = 32
const CURVE_POINTS_MAX = 20

/** End of a segment of the curve: the sqrt price (Q64.64) it reaches, and its liquidity. */
export interface CurvePoint {
  readonly sqrtPrice: bigint
  readonly liquidity: bigint
}

/** The configuration in `bytes`, or `undefined` when they are no configuration account. */
export const decodeConfig = (bytes: Uint8Array) => {
  const account = new AccountReader(bytes)
  if (!account.is(LENGTH_BYTES, DISCRIMINATORS)) return undefined
  return {
    quoteMint: account.address(8),
    feeClaimer: account.address(40),
    leftoverReceiver: account.address(72),
    /** Numerator over 10^9 of the fee at the start. */
    cliffFeeNumerator: account.u64(104),
    /** 0 linear, 1 exponential scheduler, 2 rate limiter. */
    baseFeeMode: account.u8(130),
    /** With a scheduler; a rate limiter has other numbers there. */
    feeSchedule: account.u8(130) > 1 ? undefined : feeScheduleAt(account),
    dynamicFeeEnabled: account.u8(136) === 1,
    collectFeeMode: account.u8(232),
    migrationOption: account.u8(233),
    activationType: account.u8(234),
    tokenDecimal: account.u8(235),
    tokenType: account.u8(237),
    /** 0 the quote token is of SPL Token, 1 of Token-2022. */
    quoteTokenFlag: account.u8(238),
    partnerPermanentLockedLiquidityPercentage: account.u8(239),
    partnerLiquidityPercentage: account.u8(240),
    creatorPermanentLockedLiquidityPercentage: account.u8(241),
    creatorLiquidityPercentage: account.u8(242),
    migrationFeeOption: account.u8(243),
    /** Base tokens that the curve does not need are its leftover. */
    isFixedSupply: account.u8(244) === 1,
    creatorTradingFeePercentage: account.u8(245),
    tokenUpdateAuthority: account.u8(246),
    migrationFeePercentage: account.u8(247),
    creatorMigrationFeePercentage: account.u8(248),
    swapBaseAmount: account.u64(256),
    migrationQuoteThreshold: account.u64(264),
    migrationBaseThreshold: account.u64(272),
    migrationSqrtPrice: account.u128(280),
    lockedVesting: {
      amountPerPeriod: account.u64(296),
      cliffDurationFromMigrationTime: account.u64(304),
      frequency: account.u64(312),
      numberOfPeriod: account.u64(320),
      cliffUnlockAmount: account.u64(328),
    },
    preMigrationTokenSupply: account.u64(344),
    postMigrationTokenSupply: account.u64(352),
    migratedCollectFeeMode: account.u8(360),
    migratedDynamicFee: account.u8(361),
    migratedPoolFeeBps: account.u16(362),
    /** 0 constant; 3 linear, 4 exponential with the market cap. */
    migratedPoolBaseFeeMode: account.u8(364),
    enableFirstSwapWithMinFee: account.u8(365) === 1,
    migratedCompoundingFeeBps: account.u16(366),
    marketCapFeeScheduler: account.u16(376) === 0 ? null : marketCapSchedulerAt(account),
    partnerLiquidityVesting: liquidityVestingAt(account, 184),
    creatorLiquidityVesting: liquidityVestingAt(account, 200),
    /** Lamports. */
    poolCreationFee: account.u64(368),
    sqrtStartPrice: account.u128(392),
    curve: curvePoints(account),
  }
}

/** `MigratedPoolMarketCapFeeSchedulerParams`. */
const marketCapSchedulerAt = (account: AccountReader) => ({
  numberOfPeriod: account.u16(376),
  sqrtPriceStepBps: account.u16(378),
  schedulerExpirationDuration: account.u32(380),
  reductionFactor: account.u64(384).toString(),
})

/** `LiquidityVestingInfo`; null where nothing vests. */
const liquidityVestingAt = (account: AccountReader, at: number) =>
  account.u8(at) === 0
    ? null
    : {
        vestingPercentage: account.u8(at + 1),
        bpsPerPeriod: account.u16(at + 4),
        numberOfPeriods: account.u16(at + 6),
        frequency: account.u32(at + 8),
        cliffDurationFromMigrationTime: account.u32(at + 12),
      }

const feeScheduleAt = (account: AccountReader): FeeSchedule => ({
  cliffFeeNumerator: account.u64(104),
  periodFrequency: account.u64(112),
  reductionFactor: account.u64(120),
  numberOfPeriod: account.u16(128),
  baseFeeMode: account.u8(130) === 1 ? 1 : 0,
})

/** A curve configuration as its account holds it; it never changes. Amounts in smallest units. */
export type ConfigAccount = NonNullable<ReturnType<typeof decodeConfig>>

/** Points after the last one in use are zero. */
const curvePoints = (account: AccountReader): ReadonlyArray<CurvePoint> => {
  const points: Array<CurvePoint> = []
  for (let index = 0; index < CURVE_POINTS_MAX; index++) {
    const at = CURVE_OFFSET + index * CURVE_POINT_BYTES
    const sqrtPrice = account.u128(at)
    if (sqrtPrice === 0n) break
    points.push({ sqrtPrice, liquidity: account.u128(at + 16) })
  }
  return points
}
