import { Schema } from "effect"
import { DECIMAL_LENGTH_MAX } from "../amounts/Decimal.ts"
import { IsoTime, Timestamp } from "../time/Timestamp.ts"
import { SlippageBps } from "../transactions/Transaction.ts"
import { AssetId, DepositAddress, DepositMemo, ForeignAddress, Units } from "./ForeignText.ts"

const optional = Schema.optionalKey

const APP_FEES_MAX = 10
const BPS = 10_000

/**
 * EXACT_INPUT: `amount` is sent. EXACT_OUTPUT: `amount` is received. FLEX_INPUT: about `amount` is sent, and everything from
 * `minAmountIn` on is swapped.
 */
export const SwapType = Schema.Literals(["EXACT_INPUT", "EXACT_OUTPUT", "FLEX_INPUT"])
export type SwapType = typeof SwapType.Type

const DIGITS_MAX = 78

const smallestUnits = (value: string | number): boolean | string => {
  if (typeof value === "number") return 'expected a string of digits, such as "1000000": a JSON number may lose digits'
  if (/^\d+[.,]\d*$/.test(value))
    return "expected a whole number in the smallest units of the asset: no fraction (1.5 of an asset with 6 decimals is 1500000)"
  if (!/^\d+$/.test(value) || !/[1-9]/.test(value)) return "expected a whole number of smallest units, at least 1"
  if (value.startsWith("0")) return "expected no zeros in front of the number"
  return value.length <= DIGITS_MAX || `expected at most ${DIGITS_MAX} digits`
}

const Amount = Schema.Union([Schema.String.check(Schema.isMaxLength(DECIMAL_LENGTH_MAX)), Schema.Number])
  .annotate({
    message: 'expected a string of digits, such as "1000000"',
    // A number is read so that it can be refused in plain words.
    contentSchema: { type: "string", pattern: "^[1-9][0-9]*$", maxLength: DIGITS_MAX },
  })
  // One thing is said of an amount: the check for a string, which follows, would add another.
  .check(Schema.makeFilter(smallestUnits, undefined, true))
  .pipe(Schema.refine((value): value is string => typeof value === "string"))
  .annotate({ description: "Whole number in smallest units, as a string" })

/** ORIGIN_CHAIN: on the chain of the origin asset. INTENTS: from or to an account inside of the swap service. */
export const OriginType = Schema.Literals(["ORIGIN_CHAIN", "INTENTS"])
export type OriginType = typeof OriginType.Type

/** DESTINATION_CHAIN: on the chain of the destination asset. INTENTS: to an account inside of the swap service. */
export const RecipientType = Schema.Literals(["DESTINATION_CHAIN", "INTENTS"])
export type RecipientType = typeof RecipientType.Type

/** Longer waits would outlast the time that this service has for an answer. */
const WAITING_MILLIS_MAX = 8_000

/** What an application takes of the amount that is sent. */
export const AppFee = Schema.Struct({
  recipient: ForeignAddress.annotateKey({ description: "Account at the swap service" }),
  fee: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: BPS })).annotateKey({ description: "Basis points" }),
}).annotate({ identifier: "AppFee" })
export type AppFee = typeof AppFee.Type

/** An {@link AppFee} as it is asked for. */
const AppFeeDraft = Schema.Struct(AppFee.fields).annotate({ identifier: "AppFeeDraft" })

const appFees = Schema.Array(AppFeeDraft).check(
  Schema.isMaxLength(APP_FEES_MAX),
  Schema.makeFilter(
    (fees: ReadonlyArray<AppFee>) =>
      fees.reduce((sum, { fee }) => sum + fee, 0) < BPS || "expected fees that leave something to swap",
  ),
)

/** Body of `POST /api/bridge/quote`. */
export const BridgeQuoteRequest = Schema.Struct({
  dry: optional(Schema.Boolean).annotateKey({
    description: "true (when left out): what a swap would give. false: a swap, with an address to pay to",
  }),
  originAsset: AssetId,
  destinationAsset: AssetId,
  amount: Amount,
  swapType: optional(SwapType),
  slippageTolerance: optional(SlippageBps).annotateKey({ description: "Basis points; 100 (1 %) when left out" }),
  recipient: ForeignAddress.annotateKey({ description: "Who is paid, on the chain of the destination asset" }),
  refundTo: ForeignAddress.annotateKey({ description: "Who gets refunds, on the chain of the origin asset" }),
  deadline: optional(IsoTime).annotateKey({
    description:
      "Pay by then, at least 1 minute and at most 24 hours ahead; later deposits are refunded. Half an hour from now when left out, an hour on slow chains",
  }),
  userAddress: optional(ForeignAddress).annotateKey({
    description: "Whose swap it is, in lists; refundTo when left out",
  }),
  appFees: optional(appFees),
  depositType: optional(OriginType).annotateKey({
    description: "INTENTS: paid from an account inside of the swap service",
  }),
  refundType: optional(OriginType).annotateKey({
    description: "INTENTS: refundTo is an account inside of the swap service",
  }),
  recipientType: optional(RecipientType).annotateKey({
    description: "INTENTS: the recipient is an account inside of the swap service",
  }),
  depositMode: optional(Schema.Literals(["SIMPLE", "MEMO"])).annotateKey({
    description: "MEMO: the address is shared and the deposit needs the memo. Chosen by the chain when left out",
  }),
  referral: optional(
    Schema.String.check(
      Schema.isPattern(/^[\u0021-\u007e]{1,100}$/, { expected: "1 to 100 characters without white space" }),
      Schema.isMaxLength(100),
    ),
  ).annotateKey({ description: "Through whom the swap came, as the swap service counts it" }),
  quoteWaitingTimeMs: optional(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: WAITING_MILLIS_MAX })),
  ).annotateKey({ description: "How long market makers may take to quote; 0 is fastest" }),
  virtualChainRecipient: optional(ForeignAddress),
  virtualChainRefundRecipient: optional(ForeignAddress),
  customRecipientMsg: optional(Schema.String.check(Schema.isBetweenLength(1, 4096))).annotateKey({
    description: "Message for a recipient that is a contract. One that does not understand it may lose the funds",
  }),
  acceptCustomRecipientMsgRisk: optional(Schema.Literal(true)).annotateKey({
    description: "Has to stand beside customRecipientMsg",
  }),
}).annotate({ identifier: "BridgeQuoteRequest" })
export type BridgeQuoteRequest = typeof BridgeQuoteRequest.Type

/** What a swap costs beside the rate (specification, section 8). */
export const BridgeFees = Schema.Struct({
  hasApiKey: Schema.Boolean.annotate({ description: "Whether the swap service knows this service by an API key" }),
  protocolFeePercent: Schema.String.annotate({
    description: "What the swap service takes: 0.0001, and without a key what its quote adds (serviceFeeBps)",
  }),
  detail: Schema.String,
  appFees: Schema.Array(AppFee).annotate({
    description: "What the swap service grants, which may be less than was asked for: it may take its fee out of them",
  }),
  appFeeBps: Schema.Int.annotate({ description: "Sum of appFees" }),
  serviceFeeBps: Schema.Int.annotate({ description: "What the swap service adds to them for itself, in basis points" }),
}).annotate({ identifier: "BridgeFees" })
export type BridgeFees = typeof BridgeFees.Type

/** What a swap gives, and for a real one how to pay it. */
export const BridgeQuote = Schema.Struct({
  dry: Schema.Boolean,
  id: Schema.NullOr(Schema.String).annotate({
    description: "Of the swap and of its transaction record; null when dry",
  }),
  depositAddress: Schema.NullOr(DepositAddress).annotate({ description: "Where to pay; null when dry" }),
  depositMemo: Schema.NullOr(DepositMemo).annotate({
    description: "Has to be sent with the deposit when it is not null: without it the funds are not assigned",
  }),
  originAsset: AssetId,
  destinationAsset: AssetId,
  swapType: SwapType,
  depositType: OriginType,
  refundType: OriginType,
  recipientType: RecipientType,
  amountIn: Units,
  amountInFormatted: Schema.NullOr(Schema.String).annotate({ description: "In whole tokens" }),
  amountInUsd: Schema.NullOr(Schema.String),
  minAmountIn: Units.annotateKey({ description: "The least that has to arrive" }),
  amountOut: Units,
  amountOutFormatted: Schema.NullOr(Schema.String).annotate({ description: "In whole tokens" }),
  amountOutUsd: Schema.NullOr(Schema.String),
  minAmountOut: Units.annotateKey({
    description: "The least that is delivered; else the deposit is refunded",
  }),
  slippageTolerance: Schema.Int.annotate({ description: "Basis points" }),
  depositBy: Timestamp.annotateKey({ description: "Pay by then: later deposits are refunded" }),
  inactiveAt: Schema.NullOr(Timestamp).annotateKey({
    description: "From then on nobody watches the address: what is sent to it may be lost",
  }),
  timeEstimateSeconds: Schema.Finite,
  refundFee: Schema.NullOr(Units),
  withdrawFee: Schema.NullOr(Units),
  recipient: ForeignAddress,
  refundTo: ForeignAddress,
  fees: BridgeFees,
  correlationId: Schema.NullOr(Schema.String).annotate({
    description: "What the support of the swap service asks for",
  }),
}).annotate({ identifier: "BridgeQuote" })
export type BridgeQuote = typeof BridgeQuote.Type
