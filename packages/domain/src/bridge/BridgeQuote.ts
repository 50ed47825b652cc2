import { Schema } from "effect"
import { DECIMAL_LENGTH_MAX } from "../amounts/Decimal.ts"
import { field } from "../http/Field.ts"
import { IsoTime, Timestamp } from "../time/Timestamp.ts"
import { SlippageBps } from "../transactions/Transaction.ts"
import { AssetId, DepositAddress, DepositMemo, ForeignAddress, Units } from "./ForeignText.ts"

const optional = Schema.optionalKey

const APP_FEES_MAX = 10
const BPS = 10_000

/**
 * EXACT_INPUT: `amount` is sent. EXACT_OUTPUT: `amount` is received. FLEX_INPUT: about `amount` is sent, and any amount
 * from `minAmountIn` is swapped.
 */
export const SwapType = Schema.Literals(["EXACT_INPUT", "EXACT_OUTPUT", "FLEX_INPUT"])
export type SwapType = typeof SwapType.Type

const DIGITS_MAX = 78

const smallestUnits = (value: string | number): boolean | string => {
  if (typeof value === "number") return 'expected a string of digits, such as "1000000": a JSON number may lose digits'
  if (/^\d+[.,]\d*$/.test(value))
    return "expected a whole number in the smallest units of the asset: no fraction (1.5 of an asset with 6 decimals is 1500000)"
  if (!/^\d+$/.test(value) || !/[1-9]/.test(value)) return "expected a whole number of smallest units, at least 1"
  if (value.startsWith("0")) return "expected no leading zeros"
  return value.length <= DIGITS_MAX || `expected at most ${DIGITS_MAX} digits`
}

const Amount = Schema.Union([Schema.String.check(Schema.isMaxLength(DECIMAL_LENGTH_MAX)), Schema.Number])
  .annotate({
    message: 'expected a string of digits, such as "1000000"',
    // Numbers are accepted here so that the filter can explain why they are rejected.
    contentSchema: { type: "string", pattern: "^[1-9][0-9]*$", maxLength: DIGITS_MAX },
  })
  // Aborts on failure: the following check for a string would report a second issue.
  .check(Schema.makeFilter(smallestUnits, undefined, true))
  .pipe(Schema.refine((value): value is string => typeof value === "string"))

/** Descriptions of the enumerations. */
export const SWAP_TYPE =
  "EXACT_INPUT: amount is sent. EXACT_OUTPUT: amount is received. FLEX_INPUT: about amount is sent, and any deposit from minAmountIn is swapped"
export const ORIGIN_TYPE = "ORIGIN_CHAIN: the chain of the origin asset. INTENTS: an account within the swap service"
export const RECIPIENT_TYPE =
  "DESTINATION_CHAIN: the chain of the destination asset. INTENTS: an account within the swap service"

/** ORIGIN_CHAIN: the chain of the origin asset. INTENTS: an account within the swap service. */
export const OriginType = Schema.Literals(["ORIGIN_CHAIN", "INTENTS"])
export type OriginType = typeof OriginType.Type

/** DESTINATION_CHAIN: the chain of the destination asset. INTENTS: an account within the swap service. */
export const RecipientType = Schema.Literals(["DESTINATION_CHAIN", "INTENTS"])
export type RecipientType = typeof RecipientType.Type

/** Longer waits would exceed the request timeout of this service. */
const WAITING_MILLIS_MAX = 8_000

/** A fee that an application takes of the sent amount. */
export const AppFee = Schema.Struct({
  recipient: field(ForeignAddress, "Account at the swap service that gets the fee"),
  fee: field(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: BPS })),
    "Share of the amount that is sent, in basis points; 50 is 0.5 %",
  ),
}).annotate({ identifier: "AppFee", description: "Fee that an application takes of a swap" })
export type AppFee = typeof AppFee.Type

/** An {@link AppFee} in a request. */
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
  dry: optional(
    field(Schema.Boolean, "true, the default: only a quote. false: a swap with a deposit address to pay to"),
  ),
  originAsset: field(AssetId, "Asset that is sent: an assetId of GET /api/bridge/tokens"),
  destinationAsset: field(AssetId, "Asset that is received: an assetId of GET /api/bridge/tokens"),
  amount: field(
    Amount,
    "In smallest units, a string of digits: of the origin asset, or with EXACT_OUTPUT of the destination asset",
  ),
  swapType: optional(field(SwapType, `${SWAP_TYPE}. EXACT_INPUT by default`)),
  slippageTolerance: optional(
    field(SlippageBps, "Maximum slippage, in basis points, 0 to 10000; 100 (1 %) by default"),
  ),
  recipient: field(ForeignAddress, "Address that receives the swap, on the chain of the destination asset"),
  refundTo: field(ForeignAddress, "Address that refunds go to, on the chain of the origin asset"),
  deadline: optional(
    field(
      IsoTime,
      "Deadline of the deposit, ISO 8601, 1 minute to 24 hours ahead: later deposits are refunded. By default half an hour from now, or an hour on slow chains",
    ),
  ),
  userAddress: optional(field(ForeignAddress, "User of the swap, for lists; refundTo by default")),
  appFees: optional(field(appFees, "Fees of the application, less than 10000 basis points in total")),
  depositType: optional(field(OriginType, `Where the deposit comes from. ${ORIGIN_TYPE}`)),
  refundType: optional(field(OriginType, `Where refunds go to. ${ORIGIN_TYPE}`)),
  recipientType: optional(field(RecipientType, `Where the recipient is. ${RECIPIENT_TYPE}`)),
  depositMode: optional(
    field(
      Schema.Literals(["SIMPLE", "MEMO"]),
      "SIMPLE: a deposit address for this swap. MEMO: a shared address, and the deposit must carry the memo. The default depends on the chain",
    ),
  ),
  referral: optional(
    field(
      Schema.String.check(
        Schema.isPattern(/^[\u0021-\u007e]{1,100}$/, { expected: "1 to 100 characters without white space" }),
        Schema.isMaxLength(100),
      ),
      "Referral name at the swap service",
    ),
  ),
  quoteWaitingTimeMs: optional(
    field(
      Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: WAITING_MILLIS_MAX })),
      "How long market makers may take to quote, in milliseconds; 0 is fastest",
    ),
  ),
  virtualChainRecipient: optional(field(ForeignAddress, "Recipient on a virtual chain of the swap service")),
  virtualChainRefundRecipient: optional(
    field(ForeignAddress, "Recipient of refunds on a virtual chain of the swap service"),
  ),
  customRecipientMsg: optional(
    field(
      Schema.String.check(Schema.isBetweenLength(1, 4096)),
      "Message for a recipient that is a contract. A contract that does not understand it may lose the funds",
    ),
  ),
  acceptCustomRecipientMsgRisk: optional(field(Schema.Literal(true), "Required with customRecipientMsg")),
}).annotate({ identifier: "BridgeQuoteRequest", description: "A swap across chains to quote" })
export type BridgeQuoteRequest = typeof BridgeQuoteRequest.Type

/** Fees of a cross-chain swap. */
export const BridgeFees = Schema.Struct({
  hasApiKey: Schema.Boolean.annotate({ description: "Whether this service uses an API key of the swap service" }),
  protocolFeePercent: Schema.String.annotate({
    description:
      "Protocol fee of the swap service, in percent. With an API key 0.0001, plus serviceFeeBps; without one it includes serviceFeeBps",
  }),
  detail: field(Schema.String, "Fees of the swap service in words: protocol fee and serviceFeeBps"),
  appFees: Schema.Array(AppFee).annotate({
    description: "Application fees that the swap service accepted, which may be less than requested",
  }),
  appFeeBps: Schema.Int.annotate({ description: "Sum of appFees, in basis points" }),
  serviceFeeBps: Schema.Int.annotate({
    description:
      "Fee of the swap service in this quote, in basis points; 1 is 0.01 %. Lower with an API key, but not always 0",
  }),
}).annotate({ identifier: "BridgeFees", description: "Fees of a swap; they are already deducted from the amounts" })
export type BridgeFees = typeof BridgeFees.Type

/** The quote of a cross-chain swap, with its deposit address unless it is dry. */
export const BridgeQuote = Schema.Struct({
  dry: field(Schema.Boolean, "true: only a quote. false: a swap that can be paid"),
  id: field(Schema.NullOr(Schema.String), "Id of the swap and of its transaction record, a UUID; null when dry"),
  depositAddress: Schema.NullOr(DepositAddress).annotate({ description: "Address to pay to; null when dry" }),
  depositMemo: Schema.NullOr(DepositMemo).annotate({
    description:
      "Memo that the deposit must carry; null if it needs none. A deposit without it is not assigned to the swap",
  }),
  originAsset: field(AssetId, "Asset that is sent"),
  destinationAsset: field(AssetId, "Asset that is received"),
  swapType: field(SwapType, SWAP_TYPE),
  depositType: field(OriginType, `Where the deposit comes from. ${ORIGIN_TYPE}`),
  refundType: field(OriginType, `Where refunds go to. ${ORIGIN_TYPE}`),
  recipientType: field(RecipientType, `Where the recipient is. ${RECIPIENT_TYPE}`),
  amountIn: field(Units, "Amount to send, in smallest units of the origin asset, a decimal string"),
  amountInFormatted: field(Schema.NullOr(Schema.String), "amountIn in whole tokens; null if not quoted"),
  amountInUsd: field(Schema.NullOr(Schema.String), "amountIn in USD, a decimal string; null if not quoted"),
  minAmountIn: field(Units, "Minimum deposit, in smallest units of the origin asset"),
  amountOut: field(
    Units,
    "Expected amount to be delivered, in smallest units of the destination asset, a decimal string",
  ),
  amountOutFormatted: field(Schema.NullOr(Schema.String), "amountOut in whole tokens; null if not quoted"),
  amountOutUsd: field(Schema.NullOr(Schema.String), "amountOut in USD, a decimal string; null if not quoted"),
  minAmountOut: field(
    Units,
    "Minimum amount delivered, in smallest units of the destination asset; if it cannot be reached, the deposit is refunded",
  ),
  slippageTolerance: field(Schema.Int, "Maximum slippage, in basis points; 100 is 1 %"),
  depositBy: field(Timestamp, "Deadline of the deposit: later deposits are refunded"),
  inactiveAt: field(
    Schema.NullOr(Timestamp),
    "Time after which the swap service no longer watches the deposit address: later deposits may be lost. null when dry",
  ),
  timeEstimateSeconds: field(Schema.Finite, "Expected duration of the swap after the deposit, in seconds"),
  refundFee: field(
    Schema.NullOr(Units),
    "Deducted from a refund, in smallest units of the origin asset; null if not quoted",
  ),
  withdrawFee: field(
    Schema.NullOr(Units),
    "Fee of the delivery, in smallest units of the destination asset, already deducted from amountOut; null if not quoted",
  ),
  recipient: field(ForeignAddress, "Address that receives the swap, on the chain of the destination asset"),
  refundTo: field(ForeignAddress, "Address that refunds go to, on the chain of the origin asset"),
  fees: BridgeFees,
  correlationId: field(Schema.NullOr(Schema.String), "Id for the support of the swap service; null without one"),
}).annotate({
  identifier: "BridgeQuote",
  description: "Quote of a cross-chain swap, and how to pay it unless it is dry",
})
export type BridgeQuote = typeof BridgeQuote.Type
