import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import { IsoTime, parseIsoMillis } from "@launch-registry/domain/time/Timestamp"
import { Option, Schema, SchemaGetter } from "effect"
import { OriginType, RecipientType, SwapType } from "@launch-registry/domain/bridge/BridgeQuote"
import { canonicalUnits, readSwapDetails, type SwapDetails } from "./SwapDetails.ts"
import { upstreamText } from "./UpstreamText.ts"

/**
 * What the swap service at `INTENTS_URL` takes and answers (the 1Click API, SDK 0.1.25). Fields that are not named here are passed by; those that are named are
 * checked. A `null` means the same as no field: the service answers both.
 */

/** An amount in the smallest unit of its asset. A string, so that no double ever holds it. */
export const UnitAmount = Schema.String.check(
  Schema.makeFilter(
    (text: string) => canonicalUnits(text) !== undefined || "expected a whole number of smallest units as a string",
  ),
)

/** A received amount, without leading zeros, so that equal amounts are equal texts. */
const CanonicalAmount = UnitAmount.pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((text) => canonicalUnits(text) ?? text),
    encode: SchemaGetter.passthrough(),
  }),
)

const CORRELATION_ID_LENGTH_MAX = 200
const STATUS_LENGTH_MAX = 64

const nonEmpty = (lengthMax: number) => Schema.String.check(Schema.isBetweenLength(1, lengthMax))

/** A field that may be missing, null or `nothing`; all three decode to a missing field. */
const maybe = <S extends Schema.Top>(schema: S, nothing?: S["Type"]) =>
  Schema.optionalKey(Schema.NullOr(schema)).pipe(
    Schema.decodeTo(Schema.optionalKey(Schema.toType(schema)), {
      decode: SchemaGetter.transformOptional(Option.filter((value) => value !== null && value !== nothing)),
      encode: SchemaGetter.passthrough({ strict: false }),
    }),
  )

/** A decimal number as text, for display; anything else counts as missing. */
const displayed = Schema.optionalKey(Schema.Unknown).pipe(
  Schema.decodeTo(Schema.optionalKey(Schema.String), {
    decode: SchemaGetter.transformOptional(
      Option.flatMap((value) =>
        typeof value === "string" && plainDecimal(value) !== undefined ? Option.some(value) : Option.none(),
      ),
    ),
    encode: SchemaGetter.passthrough({ strict: false }),
  }),
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
  /** Missing for native assets. */
  contractAddress: maybe(Schema.String),
  coingeckoId: maybe(Schema.String),
})
export type IntentsToken = typeof IntentsToken.Type

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
  /** Smallest units: of the destination asset for EXACT_OUTPUT, of the origin asset otherwise. */
  amount: UnitAmount,
  refundTo: nonEmpty(500),
  refundType: OriginType,
  recipient: nonEmpty(500),
  recipientType: RecipientType,
  /** When a refund of an incomplete swap starts. The address becomes inactive at `quote.deadline` instead. */
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

/** Checks shapes only; QuoteSanity checks values. */
export const IntentsQuote = Schema.Struct({
  /** Missing in a dry quote. */
  depositAddress: maybe(Schema.String),
  /** A deposit without the memo is lost. Empty means no memo. */
  depositMemo: maybe(Schema.String, ""),
  amountIn: CanonicalAmount,
  amountInFormatted: displayed,
  amountInUsd: displayed,
  minAmountIn: CanonicalAmount,
  amountOut: CanonicalAmount,
  amountOutFormatted: displayed,
  amountOutUsd: displayed,
  minAmountOut: CanonicalAmount,
  /** When the address becomes inactive: later deposits may be lost. Missing in a dry quote. */
  deadline: maybe(IsoTime),
  /** From then on the upstream polls the address rarely. */
  timeWhenInactive: maybe(IsoTime),
  /** Seconds from the confirmed deposit to the end. */
  timeEstimate: Schema.Finite,
  /** Smallest units of the origin asset. */
  refundFee: maybe(CanonicalAmount),
  /** Smallest units of the destination asset; already deducted from `amountOut`. */
  withdrawFee: maybe(CanonicalAmount),
  /** The signature covers these three fields here, or those of the request when they are missing here. */
  virtualChainRecipient: maybe(Schema.String),
  virtualChainRefundRecipient: maybe(Schema.String),
  customRecipientMsg: maybe(Schema.String),
})
export type IntentsQuote = typeof IntentsQuote.Type

/** 201 of POST /v0/quote. */
export const IntentsQuoteResponse = Schema.Struct({
  /** What the support of the service asks for. */
  correlationId: Schema.String.pipe(
    Schema.decodeTo(Schema.String, {
      decode: SchemaGetter.transform((text) => upstreamText(text, CORRELATION_ID_LENGTH_MAX)),
      encode: SchemaGetter.passthrough(),
    }),
  ),
  timestamp: IsoTime,
  /** `ed25519:` and base58. QuoteSignature rejects a wrong or missing one. */
  signature: Schema.String.check(Schema.isMaxLength(500)),
  /** The request as the service understood it, undecoded, for QuoteEcho. */
  quoteRequest: Schema.Record(Schema.String, Schema.Unknown),
  quote: IntentsQuote,
})
export type IntentsQuoteResponse = typeof IntentsQuoteResponse.Type

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
export interface IntentsSwapState {
  readonly correlationId?: string
  /** Any text without deceptive characters. */
  readonly status: string
  /** When the service last changed it. Has been seen frozen for weeks on a stuck swap. */
  readonly updatedAt?: string
  readonly swapDetails?: SwapDetails
  /** Names of unreadable fields, which count as missing; absent when there are none. */
  readonly unreadable?: ReadonlyArray<string>
}

/** The required fields of an answer; `swapStateOf` reads the rest. */
export const IntentsSwapAnswer = Schema.Struct({
  correlationId: Schema.optionalKey(Schema.Unknown),
  status: Schema.String.check(
    Schema.makeFilter((text: string) => upstreamText(text, STATUS_LENGTH_MAX) !== "" || "expected a word"),
  ),
  updatedAt: Schema.optionalKey(Schema.Unknown),
  /** The quote of the swap once more: see StatusEcho. */
  quoteResponse: Schema.optionalKey(Schema.Unknown),
  swapDetails: Schema.optionalKey(Schema.Unknown),
})

export const swapStateOf = (answer: typeof IntentsSwapAnswer.Type): IntentsSwapState => {
  const { details, unreadable } = readSwapDetails(answer.swapDetails)
  const { correlationId, updatedAt } = answer
  return {
    ...(typeof correlationId === "string" && { correlationId: upstreamText(correlationId, CORRELATION_ID_LENGTH_MAX) }),
    status: upstreamText(answer.status, STATUS_LENGTH_MAX),
    ...(typeof updatedAt === "string" && parseIsoMillis(updatedAt) !== undefined && { updatedAt }),
    ...(details !== undefined && { swapDetails: details }),
    ...(unreadable.length > 0 && { unreadable }),
  }
}

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

/** Any 400: free text, or the list of a class-validator. */
export const IntentsFault = Schema.Struct({
  message: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
  correlationId: maybe(Schema.String),
})
