import { AccountReader } from "../accounts/AccountReader.ts"
import type { TokenPair } from "../venues/TokenPair.ts"

/** `Pool` (cp-amm IDL 0.2.0): one layout since its first release, later fields in what was padding. */
const DISCRIMINATORS = ["f19a6d0411b16dbc"]
const LENGTH_BYTES = 1112

/** A pool whose fees go back into the liquidity keeps this much for ever, in no position (`DEAD_LIQUIDITY`). */
export const DEAD_LIQUIDITY = 100n << 64n

/** Layout 0 does not count its reserves yet: the first swap does. */
const LAYOUT_WITH_RESERVES = 1

/**
 * The pool in `bytes`, or `undefined` when they are no DAMM v2 pool account. Amounts in smallest units; sqrt prices (B for A) and liquidity
 * are Q64.64.
 */
export const decodeDammPool = (bytes: Uint8Array) => {
  const account = new AccountReader(bytes)
  if (!account.is(LENGTH_BYTES, DISCRIMINATORS)) return undefined
  return {
    baseFee: baseFeeOf(account),
    protocolFeePercent: BigInt(account.u8(48)),
    compoundingFeeBps: BigInt(account.u16(54)),
    /** The program updates it after the swap, so that a quote needs no more. */
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
    /** 0 slots, 1 seconds. */
    activationType: account.u8(480),
    isEnabled: account.u8(481) === 0,
    /** 0 SPL Token, 1 Token-2022. */
    tokenAFlag: account.u8(482),
    tokenBFlag: account.u8(483),
    /** 0 the output token, 1 token B, 2 token B with a part that goes back into the liquidity. */
    collectFeeMode: account.u8(484),
    /** 0 caps the fee at 50 %, 1 at 99 %. */
    feeVersion: account.u8(486),
    /** Fees that a unit of liquidity has earned since the pool began, times 2^128. */
    feeAPerLiquidity: account.u256(488),
    feeBPerLiquidity: account.u256(520),
    permanentLockLiquidity: account.u128(552),
    /** Tokens that swaps trade against; the old layout does not count them. */
    reserves: account.u8(696) < LAYOUT_WITH_RESERVES ? undefined : { a: account.u64(680), b: account.u64(688) },
  }
}

/** A DAMM v2 pool as its account holds it. */
export type DammPoolAccount = NonNullable<ReturnType<typeof decodeDammPool>>

/** A DAMM v2 pool of a token pair. Token A is the base token, token B the quote token. */
export interface DammV2Pool {
  readonly pair: TokenPair
  readonly address: string
  readonly pool: DammPoolAccount
  /** Slot or Unix time in seconds, as this pool counts. */
  readonly currentPoint: bigint
}

/** `BaseFeeInfo`: the numerator @8, over 10^9, and the mode @16 in every mode, what follows them by the mode. */
const baseFeeOf = (account: AccountReader) => {
  const cliffFeeNumerator = account.u64(8)
  const mode = account.u8(16)
  switch (mode) {
    // Linear, exponential in time.
    case 0:
    case 1:
      return {
        mode,
        cliffFeeNumerator,
        numberOfPeriod: BigInt(account.u16(22)),
        /** Slots or seconds; 0 for a fee that does not change. */
        periodFrequency: account.u64(24),
        reductionFactor: account.u64(32),
      } as const
    // Rate limiter: the larger a buy, the higher its fee.
    case 2:
      return {
        mode,
        cliffFeeNumerator,
        feeIncrementBps: BigInt(account.u16(22)),
        maxLimiterDuration: BigInt(account.u32(24)),
        maxFeeBps: BigInt(account.u32(28)),
        referenceAmount: account.u64(32),
      } as const
    // Linear, exponential in the price.
    case 3:
    case 4:
      return {
        mode,
        cliffFeeNumerator,
        numberOfPeriod: BigInt(account.u16(22)),
        sqrtPriceStepBps: BigInt(account.u32(24)),
        schedulerExpirationDuration: BigInt(account.u32(28)),
        reductionFactor: account.u64(32),
      } as const
    // Of a program newer than this.
    default:
      return { mode: "unknown", byte: mode, cliffFeeNumerator } as const
  }
}

/** How the base fee changes, by its `mode`. */
export type DammBaseFee = ReturnType<typeof baseFeeOf>
