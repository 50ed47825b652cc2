import { AccountReader } from "./AccountReader.ts"

/** `Pool` (cp-amm IDL 0.2.0): one layout since its first release, later fields in what was padding. */
const DISCRIMINATORS = ["f19a6d0411b16dbc"]
const LENGTH_BYTES = 1112

/** Layout 0 does not count its reserves yet: the first swap does. */
const LAYOUT_WITH_RESERVES = 1

/** How the base fee changes, by its `mode`; numerators are over 10^9. */
export type DammBaseFee =
  | {
      /** 0 linear, 1 exponential in time. */
      readonly mode: 0 | 1
      readonly cliffFeeNumerator: bigint
      readonly numberOfPeriod: bigint
      /** Slots or seconds; 0 for a fee that does not change. */
      readonly periodFrequency: bigint
      readonly reductionFactor: bigint
    }
  | {
      /** Rate limiter: the larger a buy, the higher its fee. */
      readonly mode: 2
      readonly cliffFeeNumerator: bigint
      readonly feeIncrementBps: bigint
      readonly maxLimiterDuration: bigint
      readonly maxFeeBps: bigint
      readonly referenceAmount: bigint
    }
  | {
      /** 3 linear, 4 exponential in the price. */
      readonly mode: 3 | 4
      readonly cliffFeeNumerator: bigint
      readonly numberOfPeriod: bigint
      readonly sqrtPriceStepBps: bigint
      readonly schedulerExpirationDuration: bigint
      readonly reductionFactor: bigint
    }
  /** Of a program newer than this. */
  | { readonly mode: "unknown"; readonly byte: number; readonly cliffFeeNumerator: bigint }

/** What the dynamic fee rests on. The program updates it after the swap, so that a quote needs no more. */
export interface DammDynamicFee {
  readonly isEnabled: boolean
  readonly variableFeeControl: bigint
  readonly binStep: bigint
  readonly volatilityAccumulator: bigint
}

/** A DAMM v2 pool as its account holds it. Amounts in smallest units; sqrt prices (B for A) and liquidity are Q64.64. */
export interface DammPoolAccount {
  readonly baseFee: DammBaseFee
  readonly protocolFeePercent: bigint
  readonly compoundingFeeBps: bigint
  readonly dynamicFee: DammDynamicFee
  readonly initSqrtPrice: bigint
  readonly tokenAMint: string
  readonly tokenBMint: string
  readonly tokenAVault: string
  readonly tokenBVault: string
  readonly liquidity: bigint
  readonly sqrtMinPrice: bigint
  readonly sqrtMaxPrice: bigint
  readonly sqrtPrice: bigint
  readonly activationPoint: bigint
  /** 0 slots, 1 seconds. */
  readonly activationType: number
  readonly isEnabled: boolean
  /** 0 SPL Token, 1 Token-2022. */
  readonly tokenAFlag: number
  readonly tokenBFlag: number
  /** 0 the output token, 1 token B, 2 token B with a part that goes back into the liquidity. */
  readonly collectFeeMode: number
  /** 0 caps the fee at 50 %, 1 at 99 %. */
  readonly feeVersion: number
  /** Fees that a unit of liquidity has earned since the pool began, times 2^128. */
  readonly feeAPerLiquidity: bigint
  readonly feeBPerLiquidity: bigint
  readonly permanentLockLiquidity: bigint
  /** Tokens that swaps trade against; `undefined` in the old layout, which does not count them. */
  readonly reserves: { readonly a: bigint; readonly b: bigint } | undefined
}

/** The pool in `bytes`, or `undefined` when they are no DAMM v2 pool account. */
export const decodeDammPool = (bytes: Uint8Array): DammPoolAccount | undefined => {
  const account = new AccountReader(bytes)
  if (!account.is(LENGTH_BYTES, DISCRIMINATORS)) return undefined
  return {
    baseFee: baseFeeOf(account),
    protocolFeePercent: BigInt(account.u8(48)),
    compoundingFeeBps: BigInt(account.u16(54)),
    dynamicFee: {
      isEnabled: account.u8(56) !== 0,
      variableFeeControl: BigInt(account.u32(68)),
      binStep: BigInt(account.u16(72)),
      volatilityAccumulator: account.u128(120),
    },
    initSqrtPrice: account.u128(152),
    tokenAMint: account.address(168),
    tokenBMint: account.address(200),
    tokenAVault: account.address(232),
    tokenBVault: account.address(264),
    liquidity: account.u128(360),
    sqrtMinPrice: account.u128(424),
    sqrtMaxPrice: account.u128(440),
    sqrtPrice: account.u128(456),
    activationPoint: account.u64(472),
    activationType: account.u8(480),
    isEnabled: account.u8(481) === 0,
    tokenAFlag: account.u8(482),
    tokenBFlag: account.u8(483),
    collectFeeMode: account.u8(484),
    feeVersion: account.u8(486),
    feeAPerLiquidity: account.u256(488),
    feeBPerLiquidity: account.u256(520),
    permanentLockLiquidity: account.u128(552),
    reserves: account.u8(696) < LAYOUT_WITH_RESERVES ? undefined : { a: account.u64(680), b: account.u64(688) },
  }
}

/** `BaseFeeInfo`: the numerator @8 and the mode @16 in every mode, what follows them by the mode. */
const baseFeeOf = (account: AccountReader): DammBaseFee => {
  const cliffFeeNumerator = account.u64(8)
  const mode = account.u8(16)
  switch (mode) {
    case 0:
    case 1:
      return {
        mode,
        cliffFeeNumerator,
        numberOfPeriod: BigInt(account.u16(22)),
        periodFrequency: account.u64(24),
        reductionFactor: account.u64(32),
      }
    case 2:
      return {
        mode,
        cliffFeeNumerator,
        feeIncrementBps: BigInt(account.u16(22)),
        maxLimiterDuration: BigInt(account.u32(24)),
        maxFeeBps: BigInt(account.u32(28)),
        referenceAmount: account.u64(32),
      }
    case 3:
    case 4:
      return {
        mode,
        cliffFeeNumerator,
        numberOfPeriod: BigInt(account.u16(22)),
        sqrtPriceStepBps: BigInt(account.u32(24)),
        schedulerExpirationDuration: BigInt(account.u32(28)),
        reductionFactor: account.u64(32),
      }
    default:
      return { mode: "unknown", byte: mode, cliffFeeNumerator }
  }
}
