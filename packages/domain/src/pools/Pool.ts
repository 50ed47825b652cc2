import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { FeeSchedule, LiquidityVestingTerms, LockedVesting, MarketCapFeeScheduler } from "./Schedules.ts"
import { LiquidityLocks } from "./LiquidityLocks.ts"
import { MigratedPool } from "./MigratedPool.ts"
import { Venue } from "./Venue.ts"

const DECIMAL = "a decimal string"

/** A u64 in smallest units, as a decimal string. */
const amount = (what: string, token: "base" | "quote") =>
  field(Schema.String, `${what}, in smallest units of the ${token} token, ${DECIMAL}`)
/** A whole number that may exceed what a JSON number can represent. */
const whole = (what: string) => field(Schema.String, `${what}, ${DECIMAL}`)
const sqrtPrice = (what: string) =>
  field(
    Schema.String,
    `${what}: square root of the price in smallest units (quote for base), times 2^64 (Q64.64), ${DECIMAL}`,
  )
const price = (what: string) => field(Schema.String, `${what}, in whole quote tokens, ${DECIMAL}`)
const progress = (what: string) => field(Schema.Finite, `${what}, from 0 to 1`)
const percent = (what: string) => field(Schema.Int, `${what}, in percent`)

const MIGRATION_PROGRESS =
  "0: trading on the curve. 1: complete, vesting not locked yet. 2: complete, ready to migrate. 3: migrated"
const quoteProgress = progress("Quote tokens raised, as a fraction of the migration threshold")
const baseProgress = progress("Base tokens sold, as a fraction of those that the curve sells")
const migrationQuoteThreshold = amount("Quote tokens to raise before the curve migrates", "quote")
const quoteReserve = amount("Quote tokens raised, without fees", "quote")
const quoteRemaining = amount("Quote tokens that the curve still takes, without fees; 0 once it is complete", "quote")
const isComplete = field(
  Schema.Boolean,
  "Whether the migration threshold is reached: a complete curve accepts no swaps",
)
const isMigrated = field(Schema.Boolean, "Whether the liquidity has migrated to the graduated pool")
const migrationProgress = field(Schema.Int, MIGRATION_PROGRESS)
const graduatedPool = field(
  Schema.NullOr(Address),
  "Pool that trading continues in, of DAMM v2, or of DAMM v1 with migrationOption 0; null before migration",
)
const slot = whole("Slot at which the state was read")

/** State of a bonding curve pool: its account and derived values. */
export const PoolState = Schema.Struct({
  pool: field(Address, "Account of the pool"),
  config: field(Address, "Account of its configuration"),
  creator: field(Address, "Wallet that created the pool, or that it was transferred to"),
  mintAddress: field(Address, "Mint of the base token, which the curve sells"),
  quoteMint: field(Address, "Mint of the quote token, which buys the base token"),
  baseVault: field(Address, "Token account of the pool for the base token"),
  quoteVault: field(Address, "Token account of the pool for the quote token"),
  baseReserve: amount("Base tokens left in the pool, without fees", "base"),
  quoteReserve,
  quoteRemaining,
  protocolBaseFee: amount("Fees of the protocol not claimed yet", "base"),
  protocolQuoteFee: amount("Fees of the protocol not claimed yet", "quote"),
  partnerBaseFee: amount("Fees of the platform not claimed yet", "base"),
  partnerQuoteFee: amount("Fees of the platform not claimed yet", "quote"),
  creatorBaseFee: amount("Fees of the creator not claimed yet", "base"),
  creatorQuoteFee: amount("Fees of the creator not claimed yet", "quote"),
  sqrtPrice: sqrtPrice("Price on the curve; after the migration the last one there"),
  activationPoint: whole("When swaps open: a slot or Unix time in seconds, by activationType of the configuration"),
  poolType: field(Schema.Int, "Token program of the base token. 0: SPL Token. 1: Token-2022"),
  migrationProgress,
  finishCurveTimestamp: whole("When the curve was completed, Unix time in seconds; 0 before"),
  isMigrated,
  isComplete,
  graduatedPool,
  venue: field(Venue, "Where the token trades now"),
  migratedPool: field(
    Schema.NullOr(MigratedPool),
    "The DAMM v2 or v1 pool that trading continues in; null before migration",
  ),
  liquidityLocks: field(
    LiquidityLocks,
    "How much of the liquidity of the migrated pool can be taken away; before the migration by the configuration",
  ),
  price: price("Price of one whole base token where it trades now: on the curve, or in migratedPool"),
  marketCap: price(
    "Price times the supply: on the curve the supply before migration, in migratedPool that of the mint",
  ),
  quoteProgress,
  baseProgress,
  slot,
}).annotate({ identifier: "PoolState", description: "State of a bonding curve pool" })
export type PoolState = typeof PoolState.Encoded

/** The configuration of a pool; it never changes. */
export const PoolConfig = Schema.Struct({
  config: field(Address, "Account of the configuration"),
  quoteMint: field(Address, "Mint of the quote token"),
  feeClaimer: field(Address, "Account that may claim the platform's share of the fees"),
  leftoverReceiver: field(Address, "Account that receives leftover base tokens"),
  cliffFeeNumerator: whole("Base fee when the pool opens, in billionths (10000000 is 1 %)"),
  baseFeeMode: field(Schema.Int, "0: linear fee scheduler. 1: exponential fee scheduler. 2: rate limiter"),
  feeSchedule: field(Schema.NullOr(FeeSchedule), "Base fee over time; null with a rate limiter"),
  lockedVesting: field(LockedVesting, "The creator's tokens that are locked at migration"),
  dynamicFeeEnabled: field(Schema.Boolean, "Whether a dynamic fee is added to the base fee"),
  collectFeeMode: field(
    Schema.Int,
    "Token in which fees are collected. 0: quote token. 1: the output token of the swap",
  ),
  migrationOption: field(Schema.Int, "Pool that the curve migrates to. 0: DAMM v1. 1: DAMM v2"),
  activationType: field(Schema.Int, "Unit of time of the pool. 0: slots. 1: seconds (timestamps)"),
  tokenDecimal: field(Schema.Int, "Decimals of the base token"),
  tokenType: field(Schema.Int, "Token program of the base token. 0: SPL Token. 1: Token-2022"),
  quoteTokenFlag: field(Schema.Int, "Token program of the quote token. 0: SPL Token. 1: Token-2022"),
  partnerPermanentLockedLiquidityPercentage: percent("Migrated liquidity of the platform that is permanently locked"),
  partnerLiquidityPercentage: percent("Migrated liquidity that the platform can withdraw"),
  creatorPermanentLockedLiquidityPercentage: percent("Migrated liquidity of the creator that is permanently locked"),
  creatorLiquidityPercentage: percent("Migrated liquidity that the creator can withdraw"),
  migrationFeeOption: field(
    Schema.Int,
    "Fee of the migrated pool. 0: 0.25 %. 1: 0.3 %. 2: 1 %. 3: 2 %. 4: 4 %. 5: 6 %. 6: customizable (migratedPoolFeeBps)",
  ),
  creatorTradingFeePercentage: percent("Creator's share of the trading fees; the rest goes to the platform"),
  tokenUpdateAuthority: field(
    Schema.Int,
    "Who may update the token metadata. 0: the creator. 1: no one. 2: the platform. 3 and 4: creator or platform, plus the mint authority",
  ),
  migrationFeePercentage: percent("Share of migrationQuoteThreshold that platform and creator receive at migration"),
  creatorMigrationFeePercentage: percent("Creator's part of that share; the rest goes to the platform"),
  swapBaseAmount: amount("Base tokens that the curve sells", "base"),
  migrationQuoteThreshold,
  migrationBaseThreshold: amount("Base tokens that go into the migrated pool", "base"),
  migrationSqrtPrice: sqrtPrice("Price at migration"),
  preMigrationTokenSupply: amount("Supply before migration", "base"),
  postMigrationTokenSupply: amount("Supply after migration", "base"),
  migratedCollectFeeMode: field(
    Schema.Int,
    "Token of the fees of the migrated pool. 0: quote. 1: output. 2: compounding, a part goes back into the liquidity",
  ),
  migratedDynamicFee: field(Schema.Int, "Dynamic fee of the migrated pool. 0: off. 1: on"),
  migratedPoolBaseFeeMode: field(
    Schema.Int,
    "Base fee of the migrated pool. 0: constant. 3: falls linearly, 4: exponentially with the market cap",
  ),
  migratedCompoundingFeeBps: field(
    Schema.Int,
    "Part of the fees of the migrated pool that is compounded, in basis points",
  ),
  marketCapFeeScheduler: field(
    Schema.NullOr(MarketCapFeeScheduler),
    "Null where the fee of the migrated pool is constant",
  ),
  partnerLiquidityVesting: field(
    Schema.NullOr(LiquidityVestingTerms),
    "Liquidity of the platform that vests; null: none",
  ),
  creatorLiquidityVesting: field(
    Schema.NullOr(LiquidityVestingTerms),
    "Liquidity of the creator that vests; null: none",
  ),
  migratedPoolFeeBps: field(Schema.Int, "Base fee of the migrated pool in basis points, with migrationFeeOption 6"),
  enableFirstSwapWithMinFee: field(
    Schema.Boolean,
    "Whether a swap in the transaction that creates the pool pays the lowest fee of the schedule",
  ),
  poolCreationFee: whole("Fee for creating a pool with this configuration, in lamports"),
  sqrtStartPrice: sqrtPrice("Price at the start of the curve"),
  curve: field(
    Schema.Array(
      Schema.Struct({
        sqrtPrice: sqrtPrice("Price at which the segment ends"),
        liquidity: whole("Liquidity of the segment in the representation of the DBC program (Q64.64 of both tokens)"),
      }),
    ),
    "Segments of the curve, lowest price first; the first starts at sqrtStartPrice",
  ),
  migrationPrice: price("Price of one whole base token at migration"),
}).annotate({ identifier: "PoolConfig", description: "Configuration of a bonding curve pool; it never changes" })
export type PoolConfig = typeof PoolConfig.Encoded

/** Published metadata of a pool and its token. `pool` is null if its creator published none. */
export const PoolMetadata = Schema.Struct({
  address: field(Address, "Account of the pool"),
  name: field(Schema.NullOr(Schema.String), "Name in the metadata of the token; null without one"),
  symbol: field(Schema.NullOr(Schema.String), "Symbol in the metadata of the token; null without one"),
  uri: field(Schema.NullOr(Schema.String), "URI in the metadata of the token; null without one"),
  pool: field(
    Schema.NullOr(
      Schema.Struct({
        name: field(Schema.String, "Name of the pool"),
        website: field(Schema.String, "Website of the pool; may be empty"),
        logo: field(Schema.String, "URI of the logo of the pool; may be empty"),
      }),
    ),
    "Metadata account of the pool; null if its creator published none",
  ),
}).annotate({ identifier: "PoolMetadata", description: "Published on-chain metadata of a pool and its token" })
export type PoolMetadata = typeof PoolMetadata.Encoded

/** Progress of a curve: by quote tokens raised, which triggers migration, and by base tokens sold. */
export const CurveProgress = Schema.Struct({
  pool: field(Address, "Account of the pool"),
  quoteProgress,
  baseProgress,
  quoteReserve,
  quoteRemaining,
  migrationQuoteThreshold,
  isComplete,
  isMigrated,
  migrationProgress,
  graduatedPool,
  slot,
}).annotate({ identifier: "CurveProgress", description: "How far a curve is from its migration" })
export type CurveProgress = typeof CurveProgress.Encoded

/** Quote of a swap, at the venue where the token trades. Amounts in smallest units; fees in smallest units of `feeMint`. */
export const SwapQuote = Schema.Struct({
  venue: field(Venue, "Where the swap happens"),
  pool: field(Address, "Account of the pool that is swapped on"),
  amountIn: whole("Input amount, in smallest units of the input token"),
  expectedAmountOut: whole(
    "Expected output amount if the price does not move, after price impact and fee, in smallest units of the output token",
  ),
  minimumAmountOut: whole("Minimum output amount of the swap, in smallest units of the output token"),
  fee: whole("Fee of the swap (trading, protocol and referral fee together), in smallest units of feeMint"),
  feeMint: field(Address, "Mint of the token in which the fee is collected"),
  priceBefore: price("Price of one whole base token before the swap"),
  priceAfter: price("Price of one whole base token after the swap"),
  priceImpact: field(Schema.Finite, "Relative price change caused by the swap; 0.01 is 1 %"),
  slippageBps: field(Schema.Int, "Maximum slippage, in basis points; 100 is 1 %"),
}).annotate({ identifier: "SwapQuote", description: "Quote of a swap at the current state of its pool" })
export type SwapQuote = typeof SwapQuote.Encoded

/** Why a swap would fail now. */
export const SwapProblem = Schema.Struct({
  code: field(
    Schema.Literals([
      "insufficient_sol",
      "insufficient_tokens",
      "account_frozen",
      "account_unusable",
      "not_active_yet",
      "no_minimum",
      "simulation_failed",
    ]),
    "insufficient_sol: for amount, rent and fees. insufficient_tokens: to send. account_frozen: a token account is frozen. account_unusable: the state of an account makes an instruction fail. not_active_yet: the pool is not open yet. no_minimum: the slippage is 100 %, so that the swap may give nothing. simulation_failed: the simulation by an RPC node failed",
  ),
  message: field(Schema.String, "The problem, with amounts"),
}).annotate({ identifier: "SwapProblem", description: "Why a swap would fail now" })
export type SwapProblem = typeof SwapProblem.Encoded

/**
 * Whether a swap would succeed if sent now. The wallet is checked at the slot of the pool state; with `simulate` an RPC
 * node also simulates the transaction.
 */
export const SwapSimulation = Schema.Struct({
  willSucceed: field(Schema.Boolean, "Whether no problem is known"),
  problems: field(Schema.Array(SwapProblem), "Known problems; empty if willSucceed is true"),
  isSimulated: field(Schema.Boolean, "Whether an RPC node simulated the transaction, as requested by `simulate`"),
  unitsConsumed: field(Schema.NullOr(Schema.Int), "Compute units used by the simulation; null without one"),
  logs: field(Schema.Array(Schema.String), "Program logs of the simulation; empty without one"),
}).annotate({ identifier: "SwapSimulation", description: "Whether the swap would succeed if sent now" })
export type SwapSimulation = typeof SwapSimulation.Encoded

/** A holder of a token, with the total of its token accounts. */
export const Holder = Schema.Struct({
  address: field(Address, "Wallet that owns the token accounts"),
  amount: whole("Total amount in its token accounts, in smallest units of the token"),
  share: field(Schema.Finite, "Share of the supply, from 0 to 1"),
}).annotate({ identifier: "Holder", description: "A wallet that holds the token" })
export type Holder = typeof Holder.Encoded
