import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { TransactionId, TransactionStatus } from "../transactions/Transaction.ts"
import { ReportedDeposit } from "./BridgeDeposit.ts"
import { AppFee, ORIGIN_TYPE, OriginType, RECIPIENT_TYPE, RecipientType, SWAP_TYPE, SwapType } from "./BridgeQuote.ts"
import { AssetId, DepositAddress, DepositMemo, ForeignAddress, Units } from "./ForeignText.ts"

/** Stage of a cross-chain swap, finer than pending, success and failed. */
export const SwapSubstatus = Schema.Literals([
  "awaiting_deposit",
  "expired",
  "deposit_seen",
  "processing",
  "incomplete",
  "delivered",
  "refunded",
  "failed",
  "needs_review",
  "unknown",
]).annotate({
  identifier: "SwapSubstatus",
  description:
    "Stage of a swap. expired: not paid in time; a late deposit reopens it. incomplete: the deposit is too small. needs_review: the swap service reports success without a delivery. unknown: a status that this service does not know",
})
export type SwapSubstatus = typeof SwapSubstatus.Type

/** A transaction on one of the chains. */
export const SwapTransaction = Schema.Struct({
  hash: field(Schema.String, "Transaction hash on its chain"),
  explorerUrl: field(Schema.NullOr(Schema.String), "Page of the transaction in an explorer; null when none is known"),
}).annotate({ identifier: "SwapTransaction", description: "A transaction of a swap on one of its chains" })
export type SwapTransaction = typeof SwapTransaction.Type

const inTokens = (amount: string) =>
  field(Schema.NullOr(Schema.String), `${amount} in whole tokens, a decimal string; null if that is null`)
const usd = (amount: string) =>
  field(
    Schema.NullOr(Schema.String),
    `${amount} in USD as stated by the swap service, a decimal string; null if it states none`,
  )

const swapFields = {
  id: field(TransactionId, "Id of the swap and of its transaction record, a UUID"),
  status: field(TransactionStatus, "pending, success or failed; a refund is failed"),
  substatus: SwapSubstatus,
  upstreamStatus: Schema.NullOr(Schema.String).annotate({
    description: "Status as reported by the swap service; null before the first report",
  }),
  userAddress: field(ForeignAddress, "User of the swap, for lists"),
  originAsset: field(AssetId, "Asset that is sent"),
  destinationAsset: field(AssetId, "Asset that is received"),
  originChain: field(Schema.String, "Chain of the origin asset, as named by the swap service"),
  destinationChain: field(Schema.String, "Chain of the destination asset, as named by the swap service"),
  swapType: field(SwapType, SWAP_TYPE),
  depositType: field(OriginType, `Where the deposit comes from. ${ORIGIN_TYPE}`),
  refundType: field(OriginType, `Where refunds go to. ${ORIGIN_TYPE}`),
  recipientType: field(RecipientType, `Where the recipient is. ${RECIPIENT_TYPE}`),
  recipient: field(ForeignAddress, "Address that receives the swap, on the chain of the destination asset"),
  refundTo: field(ForeignAddress, "Address that refunds go to, on the chain of the origin asset"),
  depositAddress: DepositAddress,
  depositMemo: field(Schema.NullOr(DepositMemo), "Memo that the deposit must carry; null if it needs none"),
  isPayable: field(Schema.Boolean, "Whether the swap can still be paid; false: do not pay"),
  reported: field(
    Schema.Boolean,
    "Whether a client reported a transfer that the swap service has not rejected. Anyone can report: see deposits",
  ),
  depositBy: field(Timestamp, "Deadline of the deposit: later deposits are refunded"),
  inactiveAt: field(
    Timestamp,
    "Time after which the swap service no longer watches the deposit address: later deposits may be lost",
  ),
  timeEstimateSeconds: field(Schema.Finite, "Expected duration of the swap after the deposit, in seconds"),
  slippageTolerance: field(Schema.Int, "Maximum slippage, in basis points; 100 is 1 %"),
  appFees: field(Schema.Array(AppFee), "Application fees that the swap service accepted"),
  slippage: field(
    Schema.NullOr(Schema.Finite),
    "Slippage of the finished swap in basis points, as reported by the swap service; null before",
  ),
  amountIn: field(
    Units,
    "In smallest units of the origin asset: the quoted amount, or the swapped amount once the swap has finished",
  ),
  amountInFormatted: field(Schema.String, "amountIn in whole tokens, a decimal string"),
  amountInUsd: usd("amountIn"),
  minAmountIn: field(Units, "Minimum deposit, in smallest units of the origin asset"),
  amountOut: field(
    Units,
    "In smallest units of the destination asset: the quoted amount, or the delivered amount once the swap has finished",
  ),
  amountOutFormatted: field(Schema.String, "amountOut in whole tokens, a decimal string"),
  amountOutUsd: usd("amountOut"),
  minAmountOut: field(Units, "Minimum amount delivered, in smallest units of the destination asset"),
  depositedAmount: field(
    Schema.NullOr(Units),
    "Deposited amount, in smallest units of the origin asset; null until known",
  ),
  depositedAmountFormatted: inTokens("depositedAmount"),
  depositedAmountUsd: usd("depositedAmount"),
  missingAmount: field(
    Schema.NullOr(Units),
    "Amount missing from an incomplete deposit, in smallest units of the origin asset; null otherwise",
  ),
  refundedAmount: field(
    Schema.NullOr(Units),
    "Refunded amount, in smallest units of the origin asset; null without a refund",
  ),
  refundedAmountFormatted: inTokens("refundedAmount"),
  refundedAmountUsd: usd("refundedAmount"),
  refundReason: field(
    Schema.NullOr(Schema.String),
    "Reason of the refund, as reported by the swap service; null without one",
  ),
  refundFee: field(
    Schema.NullOr(Units),
    "Deducted from a refund, in smallest units of the origin asset: the quoted or the actual fee; null if unknown",
  ),
  withdrawFee: field(
    Schema.NullOr(Units),
    "Fee of the delivery, in smallest units of the destination asset, already deducted from amountOut; null if unknown",
  ),
  originTxs: field(Schema.Array(SwapTransaction), "Transactions on the chain of the origin asset"),
  destinationTxs: field(Schema.Array(SwapTransaction), "Transactions on the chain of the destination asset"),
  intentHashes: field(Schema.Array(Schema.String), "Hashes of the intents of the swap"),
  nearTxHashes: field(Schema.Array(Schema.String), "Transactions of the swap on NEAR"),
  correlationId: field(Schema.NullOr(Schema.String), "Id for the support of the swap service; null without one"),
  stalled: field(Schema.Boolean, "true: a deposit is known, but the swap has made no progress for too long"),
  needsReview: field(
    Schema.Boolean,
    "true: an operator must review the swap. The swap service contradicts itself, delivered less than quoted, or sent an unreadable response",
  ),
  stale: field(Schema.Boolean, "true: the swap service has been unavailable, so this may be out of date"),
  createdAt: field(Timestamp, "When the swap was quoted"),
  updatedAt: field(Timestamp, "When the swap last changed"),
  lastCheckedAt: field(Schema.NullOr(Timestamp), "When the swap service last reported on this swap; null before"),
}

/** A cross-chain swap from its quote to its end. */
export const BridgeSwap = Schema.Struct(swapFields).annotate({
  identifier: "BridgeSwap",
  description: "A cross-chain swap",
})
export type BridgeSwap = typeof BridgeSwap.Type

/** An event of a cross-chain swap. */
export const SwapEvent = Schema.Struct({
  at: field(Timestamp, "When it happened"),
  type: field(
    Schema.Literals([
      "quoted",
      "deposit_reported",
      "deposit_delivered",
      "deposit_refused",
      "answer_unreadable",
      "changed",
    ]),
    "deposit_delivered: the swap service accepted a reported transfer. deposit_refused: it rejected one. answer_unreadable: its response could not be read. changed: it reported a change of the swap",
  ),
  status: field(TransactionStatus, "Status after the event"),
  substatus: field(SwapSubstatus, "Stage after the event"),
  upstreamStatus: field(
    Schema.NullOr(Schema.String),
    "Status as reported by the swap service; null before the first report",
  ),
  detail: field(Schema.NullOr(Schema.String), "More about the event; null when there is nothing to add"),
}).annotate({ identifier: "SwapEvent", description: "An event of a cross-chain swap" })
export type SwapEvent = typeof SwapEvent.Type

/** A cross-chain swap with its deposits, timeline and signed quote. */
export const BridgeSwapRecord = Schema.Struct({
  ...swapFields,
  deposits: Schema.Array(ReportedDeposit).annotate({ description: "Transfers that clients reported" }),
  timeline: Schema.Array(SwapEvent).annotate({ description: "Events of the swap, oldest first" }),
  signedQuote: Schema.JsonObject.annotate({
    description: "Quote as signed by the swap service: evidence in a dispute",
  }),
}).annotate({ identifier: "BridgeSwapRecord", description: "A swap with its deposits, timeline and signed quote" })
export type BridgeSwapRecord = typeof BridgeSwapRecord.Type
