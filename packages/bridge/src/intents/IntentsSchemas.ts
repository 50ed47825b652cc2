import { plainDecimal } from "@launch-registry/domain/amounts/Decimal"
import type { BridgeQuoteRequest } from "@launch-registry/domain/bridge/BridgeQuote"
import { AssetId } from "@launch-registry/domain/bridge/ForeignText"
import { IsoTime } from "@launch-registry/domain/time/Timestamp"
import { Option, Schema, SchemaGetter } from "effect"
import { canonicalUnits, upstreamText } from "./UpstreamText.ts"

/**
 * What the swap service at `INTENTS_URL` takes and answers (the 1Click API, SDK 0.1.25). Fields that are not named here are passed
 * by; those that are named are checked. A `null` means the same as no field: the service answers both.
 */

/** A received amount, without leading zeros, so that equal amounts are equal texts. A string, so that no double ever holds it. */
const Amount = Schema.String.check(
  Schema.makeFilter(
    (text: string) => canonicalUnits(text) !== undefined || "expected a whole number of smallest units as a string",
  ),
).pipe(
  Schema.decodeTo(Schema.String, {
    decode: SchemaGetter.transform((text) => canonicalUnits(text) ?? text),
    encode: SchemaGetter.passthrough(),
  }),
)

const CORRELATION_ID_LENGTH_MAX = 200

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
      Option.filter((value): value is string => typeof value === "string" && plainDecimal(value) !== undefined),
    ),
    encode: SchemaGetter.passthrough({ strict: false }),
  }),
)

const matching = (pattern: RegExp) => Schema.String.check(Schema.isPattern(pattern))

/** An entry of GET /v0/tokens that can be shown, stored and asked for by its id. */
export const IntentsToken = Schema.Struct({
  /** What quotes name the token by: `nep141:…`, `nep245:…`, `1cs_v1:…`. */
  assetId: AssetId,
  /** Digits after the point; more than 38 would make amounts that nothing holds. */
  decimals: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 38 })),
  /** An open set: `sol`, `eth`, `arb`, `base`, `btc`, `near`, `ton`, `stellar`, … */
  blockchain: matching(/^[A-Za-z0-9_-]{1,32}$/),
  symbol: nonEmpty(64).check(Schema.makeFilter((text: string) => text === upstreamText(text, 64))),
  /** USD. For display: nothing is computed from it. */
  price: maybe(Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1e20 }))),
  priceUpdatedAt: maybe(IsoTime),
  /** Missing for native assets. */
  contractAddress: maybe(matching(/^[\u0021-\u007e]{0,256}$/)),
  coingeckoId: maybe(Schema.String),
})
export type IntentsToken = typeof IntentsToken.Type

/** A fee as the echo of a quote has it: in basis points, for an account of the swap service. */
export const EchoedFee = Schema.Struct({
  recipient: nonEmpty(200),
  fee: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })),
})

/** What the caller may leave out and the service needs. */
type Needed = "dry" | "swapType" | "slippageTolerance" | "depositType" | "refundType" | "recipientType" | "deadline"

/** Body of POST /v0/quote. At `deadline` refunds begin; the address becomes inactive at `quote.deadline` instead. */
export type IntentsQuoteRequest = Omit<BridgeQuoteRequest, Needed | "acceptCustomRecipientMsgRisk" | "userAddress"> &
  Required<Pick<BridgeQuoteRequest, Needed>>

/** 201 of POST /v0/quote. Shapes only; QuoteCheck checks values. */
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
  /** The request as the service understood it, undecoded, for QuoteCheck. */
  quoteRequest: Schema.Record(Schema.String, Schema.Unknown),
  quote: Schema.Struct({
    /** Missing in a dry quote. */
    depositAddress: maybe(Schema.String),
    /** A deposit without the memo is lost. Empty means no memo. */
    depositMemo: maybe(Schema.String, ""),
    amountIn: Amount,
    amountInFormatted: displayed,
    amountInUsd: displayed,
    minAmountIn: Amount,
    amountOut: Amount,
    amountOutFormatted: displayed,
    amountOutUsd: displayed,
    minAmountOut: Amount,
    /** When the address becomes inactive: later deposits may be lost. Missing in a dry quote. */
    deadline: maybe(IsoTime),
    /** Seconds from the confirmed deposit to the end. */
    timeEstimate: Schema.Finite,
    /** Smallest units of the origin asset. */
    refundFee: maybe(Amount),
    /** Smallest units of the destination asset; already deducted from `amountOut`. */
    withdrawFee: maybe(Amount),
    /** The signature covers these three fields here, or those of the request when they are missing here. */
    virtualChainRecipient: maybe(Schema.String),
    virtualChainRefundRecipient: maybe(Schema.String),
    customRecipientMsg: maybe(Schema.String),
  }),
})
export type IntentsQuoteResponse = typeof IntentsQuoteResponse.Type

/** Any 400: free text, or the list of a class-validator. */
export const IntentsFault = Schema.Struct({
  message: Schema.Union([Schema.String, Schema.Array(Schema.String)]),
})
