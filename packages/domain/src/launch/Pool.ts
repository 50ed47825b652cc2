import { Schema } from "effect"
import { Address } from "../solana/Address.ts"

/** A u64 or u128 in smallest units, as a decimal string. */
const Units = Schema.String.annotate({ description: "Whole number in smallest units, as a decimal string" })
/** Zero to one. */
const Progress = Schema.Finite.annotate({ description: "From 0 to 1" })
const Price = Schema.String.annotate({ description: "Decimal string, in whole quote tokens" })

/** A bonding curve pool: its account, and what follows from it. */
export const PoolState = Schema.Struct({
  pool: Address,
  config: Address,
  creator: Address,
  baseMint: Address,
  quoteMint: Address,
  baseVault: Address,
  quoteVault: Address,
  baseReserve: Units,
  quoteReserve: Units,
  protocolBaseFee: Units,
  protocolQuoteFee: Units,
  partnerBaseFee: Units,
  partnerQuoteFee: Units,
  creatorBaseFee: Units,
  creatorQuoteFee: Units,
  sqrtPrice: Units,
  activationPoint: Units,
  poolType: Schema.Int,
  migrationProgress: Schema.Int,
  finishCurveTimestamp: Units,
  isMigrated: Schema.Boolean,
  isComplete: Schema.Boolean,
  graduatedPool: Schema.NullOr(Address),
  price: Price,
  marketCap: Price,
  quoteProgress: Progress,
  baseProgress: Progress,
  slot: Units,
}).annotate({ identifier: "PoolState" })
export type PoolState = typeof PoolState.Encoded

/** The configuration a pool was made with; it never changes. */
export const PoolConfig = Schema.Struct({
  config: Address,
  quoteMint: Address,
  feeClaimer: Address,
  leftoverReceiver: Address,
  cliffFeeNumerator: Units,
  baseFeeMode: Schema.Int,
  dynamicFeeEnabled: Schema.Boolean,
  collectFeeMode: Schema.Int,
  migrationOption: Schema.Int,
  activationType: Schema.Int,
  tokenDecimal: Schema.Int,
  tokenType: Schema.Int,
  quoteTokenFlag: Schema.Int,
  partnerPermanentLockedLiquidityPercentage: Schema.Int,
  partnerLiquidityPercentage: Schema.Int,
  creatorPermanentLockedLiquidityPercentage: Schema.Int,
  creatorLiquidityPercentage: Schema.Int,
  migrationFeeOption: Schema.Int,
  creatorTradingFeePercentage: Schema.Int,
  tokenUpdateAuthority: Schema.Int,
  migrationFeePercentage: Schema.Int,
  creatorMigrationFeePercentage: Schema.Int,
  swapBaseAmount: Units,
  migrationQuoteThreshold: Units,
  migrationBaseThreshold: Units,
  migrationSqrtPrice: Units,
  preMigrationTokenSupply: Units,
  postMigrationTokenSupply: Units,
  migratedCollectFeeMode: Schema.Int,
  migratedDynamicFee: Schema.Int,
  migratedPoolFeeBps: Schema.Int,
  enableFirstSwapWithMinFee: Schema.Boolean,
  poolCreationFee: Units,
  sqrtStartPrice: Units,
  curve: Schema.Array(Schema.Struct({ sqrtPrice: Units, liquidity: Units })),
  migrationPrice: Price,
}).annotate({ identifier: "PoolConfig" })
export type PoolConfig = typeof PoolConfig.Encoded

/** What is published about a pool and its token on chain. `pool` is null when its creator published nothing. */
export const PoolMetadata = Schema.Struct({
  address: Address,
  name: Schema.NullOr(Schema.String),
  symbol: Schema.NullOr(Schema.String),
  uri: Schema.NullOr(Schema.String),
  pool: Schema.NullOr(Schema.Struct({ name: Schema.String, website: Schema.String, logo: Schema.String })),
}).annotate({ identifier: "PoolMetadata" })
export type PoolMetadata = typeof PoolMetadata.Encoded

/** How far a curve has come: by quote raised (what migration waits for) and by base sold. */
export const CurveProgress = Schema.Struct({
  pool: Address,
  quoteProgress: Progress,
  baseProgress: Progress,
  quoteReserve: Units,
  migrationQuoteThreshold: Units,
  isComplete: Schema.Boolean,
  isMigrated: Schema.Boolean,
  migrationProgress: Schema.Int,
  graduatedPool: Schema.NullOr(Address),
  slot: Units,
}).annotate({ identifier: "CurveProgress" })
export type CurveProgress = typeof CurveProgress.Encoded

/** What a swap would give. Amounts in smallest units; fees in the smallest unit of `feeMint`. */
export const SwapQuote = Schema.Struct({
  amountIn: Units,
  expectedAmountOut: Units,
  minimumAmountOut: Units,
  fee: Units,
  feeMint: Address,
  priceBefore: Price,
  priceAfter: Price,
  priceImpact: Schema.Finite.annotate({ description: "Share by which the swap moves the price; 0.01 is one percent" }),
  slippageBps: Schema.Int,
}).annotate({ identifier: "SwapQuote" })
export type SwapQuote = typeof SwapQuote.Encoded

/** Why a swap would not land as things are. */
export const SwapProblem = Schema.Struct({
  code: Schema.Literals([
    "insufficient_sol",
    "insufficient_tokens",
    "account_frozen",
    "not_active_yet",
    "simulation_failed",
  ]),
  message: Schema.String,
}).annotate({ identifier: "SwapProblem" })
export type SwapProblem = typeof SwapProblem.Encoded

/**
 * Whether a swap would land if it were sent now. The wallet is checked at the slot the pool was read at; with
 * `simulate` the transaction is run by an RPC node as well.
 */
export const SwapSimulation = Schema.Struct({
  willSucceed: Schema.Boolean,
  problems: Schema.Array(SwapProblem),
  isSimulated: Schema.Boolean,
  unitsConsumed: Schema.NullOr(Schema.Int),
  logs: Schema.Array(Schema.String),
}).annotate({ identifier: "SwapSimulation" })
export type SwapSimulation = typeof SwapSimulation.Encoded

/** An owner of a token with all that their accounts hold. */
export const Holder = Schema.Struct({
  address: Address,
  amount: Units,
  share: Schema.Finite.annotate({ description: "Part of the supply, 0 to 1" }),
}).annotate({ identifier: "Holder" })
export type Holder = typeof Holder.Encoded
