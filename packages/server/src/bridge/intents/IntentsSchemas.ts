import { IsoTime } from "@launch-registry/domain/time/Timestamp"
import { Effect, Option, Schema, SchemaGetter } from "effect"

/**
 * What the swap service at `INTENTS_URL` takes and answers (section "External cross-chain swap interface" of the
 * specification; SDK 0.1.25 of the 1Click API). Fields that are not named here are passed by; those that are named are
 * checked. A `null` means the same as no field: the service answers both.
 */

/** Most digits of an amount: those of 2^256 - 1. */
const DIGITS_MAX = 78

/** An amount in the smallest unit of its asset. A string, so that no double ever holds it. */
export const UnitAmount = Schema.String.check(
  Schema.makeFilter(
    (text: string) =>
      (/^\d+$/.test(text) && text.length <= DIGITS_MAX) || "expected a whole number of smallest units as a string",
  ),
)

const nonEmpty = (lengthMax: number) => Schema.String.check(Schema.isBetweenLength(1, lengthMax))

/** A field that may be missing or null: decoded, it is there with a value or not there. */
const maybe = <S extends Schema.Top>(schema: S) =>
  Schema.optionalKey(Schema.NullOr(schema)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.toType(schema)), {
      decode: SchemaGetter.transformOptional(Option.filter((value) => value !== null)),
      encode: SchemaGetter.passthrough({ strict: false }),
    }),
  )

/** A list that may be missing or null: decoded, it is empty then. */
const listOf = <S extends Schema.Top>(item: S) =>
  Schema.NullOr(Schema.Array(item)).pipe(
    Schema.decodeTo(Schema.Array(Schema.toType(item)), {
      decode: SchemaGetter.transform((items) => items ?? []),
      encode: SchemaGetter.passthrough({ strict: false }),
    }),
    Schema.withDecodingDefaultKey(Effect.succeed(null)),
  )

/** An entry of GET /v0/tokens. */
export const IntentsToken = Schema.Struct({
  /** What quotes name the token by: `nep141:…`, `nep245:…`, `1cs_v1:…`. */
  assetId: nonEmpty(500),
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })),
  /** An open set: `sol`, `eth`, `arb`, `base`, `btc`, `near`, `ton`, `stellar`, … */
  blockchain: nonEmpty(100),
  symbol: nonEmpty(200),
  /** USD. For display: nothing is computed from it. */
  price: maybe(Schema.Finite),
  priceUpdatedAt: maybe(IsoTime),
  /** Not there for native assets. */
  contractAddress: maybe(Schema.String),
  coingeckoId: maybe(Schema.String),
})
export type IntentsToken = typeof IntentsToken.Type

export const SwapType = Schema.Literals(["EXACT_INPUT", "EXACT_OUTPUT"])
export type SwapType = typeof SwapType.Type

/** Where assets come from or go to: a chain, or an account inside of the swap service. */
export const RecipientType = Schema.Literals(["DESTINATION_CHAIN", "INTENTS"])
export type RecipientType = typeof RecipientType.Type
const OriginType = Schema.Literals(["ORIGIN_CHAIN", "INTENTS"])

/** SIMPLE: an address is enough. MEMO: a deposit without the memo is lost (Stellar). */
export const DepositMode = Schema.Literals(["SIMPLE", "MEMO"])
export type DepositMode = typeof DepositMode.Type

export const AppFee = Schema.Struct({
  /** An account of the swap service. */
  recipient: nonEmpty(200),
  /** Basis points. */
  fee: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })),
})
export type AppFee = typeof AppFee.Type

/** Body of POST /v0/quote. */
export const IntentsQuoteRequest = Schema.Struct({
  dry: Schema.Boolean,
  depositMode: Schema.optionalKey(DepositMode),
  swapType: SwapType,
  /** Basis points. */
  slippageTolerance: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })),
  originAsset: nonEmpty(500),
  depositType: OriginType,
  destinationAsset: nonEmpty(500),
  /** Smallest units: of the origin asset for EXACT_INPUT, of the destination asset for EXACT_OUTPUT. */
  amount: UnitAmount,
  refundTo: nonEmpty(500),
  refundType: OriginType,
  recipient: nonEmpty(500),
  recipientType: RecipientType,
  /** When a refund starts unless the swap is complete. Not the time at which the address ends: that is `quote.deadline`. */
  deadline: IsoTime,
  quoteWaitingTimeMs: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 60_000 }))),
  referral: Schema.optionalKey(nonEmpty(200)),
  sessionId: Schema.optionalKey(nonEmpty(200)),
  appFees: Schema.optionalKey(Schema.Array(AppFee)),
  virtualChainRecipient: Schema.optionalKey(nonEmpty(200)),
  virtualChainRefundRecipient: Schema.optionalKey(nonEmpty(200)),
  /** The service documents that funds are lost when the recipient does not understand it. */
  customRecipientMsg: Schema.optionalKey(nonEmpty(10_000)),
})
export type IntentsQuoteRequest = typeof IntentsQuoteRequest.Type

export const IntentsQuote = Schema.Struct({
  /** Only there when the quote is not dry. */
  depositAddress: maybe(nonEmpty(500)),
  /** A deposit without it is lost. */
  depositMemo: maybe(nonEmpty(500)),
  amountIn: UnitAmount,
  amountInFormatted: maybe(Schema.String),
  amountInUsd: maybe(Schema.String),
  minAmountIn: UnitAmount,
  amountOut: UnitAmount,
  amountOutFormatted: maybe(Schema.String),
  amountOutUsd: maybe(Schema.String),
  minAmountOut: UnitAmount,
  /** When the address becomes inactive: what arrives later may be lost. Only there when the quote is not dry. */
  deadline: maybe(IsoTime),
  /** From when on the address is looked at rarely. */
  timeWhenInactive: maybe(IsoTime),
  /** Seconds from the confirmed deposit to the end. */
  timeEstimate: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 31_536_000 })),
  /** Smallest units of the origin asset. */
  refundFee: maybe(UnitAmount),
  /** Smallest units of the destination asset; `amountOut` is without it already. */
  withdrawFee: maybe(UnitAmount),
  /** These three are signed here, and in the request only when they are not here. */
  virtualChainRecipient: maybe(Schema.String),
  virtualChainRefundRecipient: maybe(Schema.String),
  customRecipientMsg: maybe(Schema.String),
})
export type IntentsQuote = typeof IntentsQuote.Type

/** 201 of POST /v0/quote. */
export const IntentsQuoteResponse = Schema.Struct({
  /** What the support of the service asks for. */
  correlationId: nonEmpty(200),
  timestamp: IsoTime,
  /** `ed25519:` and base58. See QuoteSignature; what is signed wrongly or not at all, fails there. */
  signature: Schema.String.check(Schema.isMaxLength(500)),
  /** What the service understood: as it came, for QuoteEcho. */
  quoteRequest: Schema.Record(Schema.String, Schema.Unknown),
  quote: IntentsQuote,
})
export type IntentsQuoteResponse = typeof IntentsQuoteResponse.Type

/** A transaction of a swap on one of its chains. Some answers give the hash alone. */
const ChainTransaction = Schema.Union([
  Schema.Struct({ hash: nonEmpty(500), explorerUrl: maybe(Schema.String) }),
  nonEmpty(500),
]).pipe(
  Schema.decodeTo(Schema.Struct({ hash: Schema.String, explorerUrl: Schema.optionalKey(Schema.String) }), {
    decode: SchemaGetter.transform((entry) => (typeof entry === "string" ? { hash: entry } : entry)),
    encode: SchemaGetter.passthrough({ strict: false }),
  }),
)

export const SwapDetails = Schema.Struct({
  amountIn: maybe(UnitAmount),
  amountInFormatted: maybe(Schema.String),
  amountInUsd: maybe(Schema.String),
  amountOut: maybe(UnitAmount),
  amountOutFormatted: maybe(Schema.String),
  amountOutUsd: maybe(Schema.String),
  /** Basis points, as settled. */
  slippage: maybe(Schema.Finite),
  originChainTxHashes: listOf(ChainTransaction),
  destinationChainTxHashes: listOf(ChainTransaction),
  intentHashes: listOf(Schema.String),
  nearTxHashes: listOf(Schema.String),
  depositedAmount: maybe(UnitAmount),
  refundedAmount: maybe(UnitAmount),
  refundReason: maybe(Schema.String),
  refundFee: maybe(UnitAmount),
  withdrawFee: maybe(UnitAmount),
})
export type SwapDetails = typeof SwapDetails.Type

/** The statuses that are documented. The set is open: a status is any string. */
export const KNOWN_STATUSES = [
  "PENDING_DEPOSIT",
  "KNOWN_DEPOSIT_TX",
  "INCOMPLETE_DEPOSIT",
  "PROCESSING",
  "SUCCESS",
  "REFUNDED",
  "FAILED",
] as const
export type KnownStatus = (typeof KNOWN_STATUSES)[number]

/** 200 of GET /v0/status, and of POST /v0/deposit/submit. */
export const IntentsSwapState = Schema.Struct({
  correlationId: maybe(Schema.String),
  status: nonEmpty(200),
  /** When the service last changed it. Seen frozen for weeks while the swap went nowhere. */
  updatedAt: maybe(IsoTime),
  swapDetails: maybe(SwapDetails),
})
export type IntentsSwapState = typeof IntentsSwapState.Type

/** Body of POST /v0/deposit/submit. */
export const DepositSubmission = Schema.Struct({
  txHash: nonEmpty(500),
  depositAddress: nonEmpty(500),
  /** For quotes that came with a memo. */
  memo: Schema.optionalKey(nonEmpty(500)),
  /** For deposits on NEAR. */
  nearSenderAccount: Schema.optionalKey(nonEmpty(200)),
})
export type DepositSubmission = typeof DepositSubmission.Type

/** 400 of everything: free text, or the list of a class-validator. */
export const IntentsFault = Schema.Struct({
  message: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  correlationId: maybe(Schema.String),
})
