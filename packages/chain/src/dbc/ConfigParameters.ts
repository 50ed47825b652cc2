import {
  type Address,
  getArrayEncoder,
  getBooleanEncoder,
  getNullableEncoder,
  getStructEncoder,
  getU128Encoder,
  getU16Encoder,
  getU32Encoder,
  getU64Encoder,
  getU8Encoder,
  type Instruction,
} from "@solana/kit"
import { DBC_EVENT_AUTHORITY, DBC_PROGRAM, SYSTEM_PROGRAM } from "../accounts/Programs.ts"
import { instructionData, readonly, writableSigner } from "../venues/ProgramInstruction.ts"

const u8 = getU8Encoder()
const u16 = getU16Encoder()
const u32 = getU32Encoder()
const u64 = getU64Encoder()
const u128 = getU128Encoder()

const liquidityVesting = getStructEncoder([
  ["vestingPercentage", u8],
  ["bpsPerPeriod", u16],
  ["numberOfPeriods", u16],
  ["cliffDurationFromMigrationTime", u32],
  ["frequency", u32],
])

/** `ConfigParameters` (DBC IDL 0.1.10 and 0.2.1), as Borsh writes it. */
const parametersEncoder = getStructEncoder([
  [
    "poolFees",
    getStructEncoder([
      [
        "baseFee",
        getStructEncoder([
          ["cliffFeeNumerator", u64],
          ["firstFactor", u16],
          ["secondFactor", u64],
          ["thirdFactor", u64],
          ["baseFeeMode", u8],
        ]),
      ],
      [
        "dynamicFee",
        getNullableEncoder(
          getStructEncoder([
            ["binStep", u16],
            ["binStepU128", u128],
            ["filterPeriod", u16],
            ["decayPeriod", u16],
            ["reductionFactor", u16],
            ["maxVolatilityAccumulator", u32],
            ["variableFeeControl", u32],
          ]),
        ),
      ],
    ]),
  ],
  ["collectFeeMode", u8],
  ["migrationOption", u8],
  ["activationType", u8],
  ["tokenType", u8],
  ["tokenDecimal", u8],
  ["partnerLiquidityPercentage", u8],
  ["partnerPermanentLockedLiquidityPercentage", u8],
  ["creatorLiquidityPercentage", u8],
  ["creatorPermanentLockedLiquidityPercentage", u8],
  ["migrationQuoteThreshold", u64],
  ["sqrtStartPrice", u128],
  [
    "lockedVesting",
    getStructEncoder([
      ["amountPerPeriod", u64],
      ["cliffDurationFromMigrationTime", u64],
      ["frequency", u64],
      ["numberOfPeriod", u64],
      ["cliffUnlockAmount", u64],
    ]),
  ],
  ["migrationFeeOption", u8],
  [
    "tokenSupply",
    getNullableEncoder(
      getStructEncoder([
        ["preMigrationTokenSupply", u64],
        ["postMigrationTokenSupply", u64],
      ]),
    ),
  ],
  ["creatorTradingFeePercentage", u8],
  ["tokenUpdateAuthority", u8],
  [
    "migrationFee",
    getStructEncoder([
      ["feePercentage", u8],
      ["creatorFeePercentage", u8],
    ]),
  ],
  [
    "migratedPoolFee",
    getStructEncoder([
      ["collectFeeMode", u8],
      ["dynamicFee", u8],
      ["poolFeeBps", u16],
    ]),
  ],
  ["poolCreationFee", u64],
  ["partnerLiquidityVestingInfo", liquidityVesting],
  ["creatorLiquidityVestingInfo", liquidityVesting],
  ["migratedPoolBaseFeeMode", u8],
  [
    "migratedPoolMarketCapFeeSchedulerParams",
    getStructEncoder([
      ["numberOfPeriod", u16],
      ["sqrtPriceStepBps", u16],
      ["schedulerExpirationDuration", u32],
      ["reductionFactor", u64],
    ]),
  ],
  ["enableFirstSwapWithMinFee", getBooleanEncoder()],
  ["compoundingFeeBps", u16],
  ["padding", getArrayEncoder(u8, { size: 2 })],
  [
    "curve",
    getArrayEncoder(
      getStructEncoder([
        ["sqrtPrice", u128],
        ["liquidity", u128],
      ]),
    ),
  ],
])

/** Arguments of `create_config`: amounts in smallest units, prices as square roots in Q64.64. */
export type ConfigParameters = Parameters<typeof parametersEncoder.encode>[0]

/** Accounts of `create_config`. */
export interface ConfigAccounts {
  readonly config: string
  readonly feeClaimer: string
  readonly leftoverReceiver: string
  readonly quoteMint: string
  readonly payer: string
  /** Of a quote mint that has one (DBC 0.2.1). */
  readonly tokenBadge?: string | undefined
}

const CREATE_CONFIG = "c9cff3724b6f2fbd"

/** Creates a configuration; its account and the payer sign. */
export const createConfigInstruction = (accounts: ConfigAccounts, parameters: ConfigParameters): Instruction => ({
  programAddress: DBC_PROGRAM as Address,
  accounts: [
    writableSigner(accounts.config),
    readonly(accounts.feeClaimer),
    readonly(accounts.leftoverReceiver),
    readonly(accounts.quoteMint),
    writableSigner(accounts.payer),
    readonly(SYSTEM_PROGRAM),
    readonly(DBC_EVENT_AUTHORITY),
    readonly(DBC_PROGRAM),
    ...(accounts.tokenBadge === undefined ? [] : [readonly(accounts.tokenBadge)]),
  ],
  data: instructionData(CREATE_CONFIG, parametersEncoder.encode(parameters)),
})
