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

/** What the values of these enumerations mean, for the documentation. */
export const SWAP_TYPE =
  "EXACT_INPUT: amount is sent. EXACT_OUTPUT: amount is received. FLEX_INPUT: about amount is sent, and all that arrives from minAmountIn on is swapped"
export const ORIGIN_TYPE = "ORIGIN_CHAIN: the chain of the origin asset. INTENTS: an account inside of the swap service"
export const RECIPIENT_TYPE =
  "DESTINATION_CHAIN: the chain of the destination asset. INTENTS: an account inside of the swap service"

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
  recipient: field(ForeignAddress, "Account at the swap service that gets the fee"),
  fee: field(
    Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: BPS })),
    "Share of the amount that is sent, in basis points; 50 is 0.5 %",
  ),
}).annotate({ identifier: "AppFee", description: "Fee that an application takes of a swap" })
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
  dry: optional(
    field(
      Schema.Boolean,
      "true, the default: only what a swap would give. false: a swap with a deposit address to pay to",
    ),
  ),
  originAsset: field(AssetId, "Asset that is sent: an assetId of GET /api/bridge/tokens"),
  destinationAsset: field(AssetId, "Asset that is received: an assetId of GET /api/bridge/tokens"),
  amount: field(
    Amount,
    "In smallest units, a string of digits: of the origin asset, or with EXACT_OUTPUT of the destination asset",
  ),
  swapType: optional(field(SwapType, `${SWAP_TYPE}. EXACT_INPUT when left out`)),
  slippageTolerance: optional(
    field(SlippageBps, "Slippage to allow, in basis points, 0 to 10000; 100 (1 %) when left out"),
  ),
  recipient: field(ForeignAddress, "Address that is paid, on the chain of the destination asset"),
  refundTo: field(ForeignAddress, "Address that refunds go to, on the chain of the origin asset"),
  deadline: optional(
    field(
      IsoTime,
      "Time to pay by, ISO 8601, 1 minute to 24 hours ahead: later deposits are refunded. When left out, half an hour from now, or an hour on slow chains",
    ),
  ),
  userAddress: optional(field(ForeignAddress, "User that lists show the swap for; refundTo when left out")),
  appFees: optional(field(appFees, "Fees that the application takes, less than 10000 basis points together")),
  depositType: optional(field(OriginType, `Where the deposit comes from. ${ORIGIN_TYPE}`)),
  refundType: optional(field(OriginType, `Where refunds go to. ${ORIGIN_TYPE}`)),
  recipientType: optional(field(RecipientType, `Where the recipient is. ${RECIPIENT_TYPE}`)),
  depositMode: optional(
    field(
      Schema.Literals(["SIMPLE", "MEMO"]),
      "SIMPLE: a deposit address for this swap. MEMO: a shared address, and the deposit has to carry the memo. By the chain when left out",
    ),
  ),
  referral: optional(
    field(
      Schema.String.check(
        Schema.isPattern(/^[\u0021-\u007e]{1,100}$/, { expected: "1 to 100 characters without white space" }),
        Schema.isMaxLength(100),
      ),
      "Name of the referrer, as the swap service counts referrals",
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

/** What a swap costs on top of the rate. */
export const BridgeFees = Schema.Struct({
  hasApiKey: Schema.Boolean.annotate({ description: "Whether this service uses an API key of the swap service" }),
  protocolFeePercent: Schema.String.annotate({
    description:
      "Protocol fee of the swap service, in percent. With an API key 0.0001, and serviceFeeBps comes on top; without one serviceFeeBps is included",
  }),
  detail: field(Schema.String, "What the swap service takes, in words: protocol fee and serviceFeeBps"),
  appFees: Schema.Array(AppFee).annotate({
    description: "Application fees that the swap service grants, which may be less than was asked for",
  }),
  appFeeBps: Schema.Int.annotate({ description: "Sum of appFees, in basis points" }),
  serviceFeeBps: Schema.Int.annotate({
    description:
      "Fee that the quote adds for the swap service, in basis points; 1 is 0.01 %. Less with an API key, but not always 0",
  }),
}).annotate({ identifier: "BridgeFees", description: "Fees of a swap; the amounts have them deducted already" })
export type BridgeFees = typeof BridgeFees.Type

/** What a swap gives, and for a real one how to pay it. */
export const BridgeQuote = Schema.Struct({
  dry: field(Schema.Boolean, "true: only what a swap would give. false: a swap that can be paid"),
  id: field(Schema.NullOr(Schema.String), "Id of the swap and of its transaction record, a UUID; null when dry"),
  depositAddress: Schema.NullOr(DepositAddress).annotate({ description: "Address to pay to; null when dry" }),
  depositMemo: Schema.NullOr(DepositMemo).annotate({
    description: "Memo that the deposit has to carry; null when it needs none. Without it the funds are not assigned",
  }),
  originAsset: field(AssetId, "Asset that is sent"),
  destinationAsset: field(AssetId, "Asset that is received"),
  swapType: field(SwapType, SWAP_TYPE),
  depositType: field(OriginType, `Where the deposit comes from. ${ORIGIN_TYPE}`),
  refundType: field(OriginType, `Where refunds go to. ${ORIGIN_TYPE}`),
  recipientType: field(RecipientType, `Where the recipient is. ${RECIPIENT_TYPE}`),
  amountIn: field(Units, "Amount to send, in smallest units of the origin asset, a decimal string"),
  amountInFormatted: field(Schema.NullOr(Schema.String), "amountIn in whole tokens; null when it was not quoted"),
  amountInUsd: field(Schema.NullOr(Schema.String), "amountIn in USD, a decimal string; null when it was not quoted"),
  minAmountIn: field(Units, "Minimum amount that has to arrive, in smallest units of the origin asset"),
  amountOut: field(Units, "Amount to be delivered, in smallest units of the destination asset, a decimal string"),
  amountOutFormatted: field(Schema.NullOr(Schema.String), "amountOut in whole tokens; null when it was not quoted"),
  amountOutUsd: field(Schema.NullOr(Schema.String), "amountOut in USD, a decimal string; null when it was not quoted"),
  minAmountOut: field(
    Units,
    "Minimum amount that is delivered, in smallest units of the destination asset; below it the deposit is refunded",
  ),
  slippageTolerance: field(Schema.Int, "Slippage that is allowed, in basis points; 100 is 1 %"),
  depositBy: field(Timestamp, "Time to pay by: later deposits are refunded"),
  inactiveAt: field(
    Schema.NullOr(Timestamp),
    "Time from which the swap service does not watch the address any more: what is sent to it later may be lost. null when dry",
  ),
  timeEstimateSeconds: field(Schema.Finite, "Time that the swap is expected to take after the deposit, in seconds"),
  refundFee: field(
    Schema.NullOr(Units),
    "Deducted from a refund, in smallest units of the origin asset; null when it was not quoted",
  ),
  withdrawFee: field(
    Schema.NullOr(Units),
    "Fee of the delivery, in smallest units of the destination asset, deducted from amountOut already; null when it was not quoted",
  ),
  recipient: field(ForeignAddress, "Address that is paid, on the chain of the destination asset"),
  refundTo: field(ForeignAddress, "Address that refunds go to, on the chain of the origin asset"),
  fees: BridgeFees,
  correlationId: field(
    Schema.NullOr(Schema.String),
    "Id that the support of the swap service asks for; null without one",
  ),
}).annotate({ identifier: "BridgeQuote", description: "What a swap gives, and how to pay it unless it is dry" })
export type BridgeQuote = typeof BridgeQuote.Type
