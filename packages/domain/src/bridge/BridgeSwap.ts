import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { TransactionId, TransactionStatus } from "../transactions/Transaction.ts"
import { ReportedDeposit } from "./BridgeDeposit.ts"
import { AppFee, ORIGIN_TYPE, OriginType, RECIPIENT_TYPE, RecipientType, SWAP_TYPE, SwapType } from "./BridgeQuote.ts"
import { AssetId, DepositAddress, DepositMemo, ForeignAddress, Units } from "./ForeignText.ts"

/** Where a swap stands, beyond pending, success and failed. */
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
    "Stage of a swap. expired: not paid in time; a late deposit reopens it. incomplete: less was paid than needed. needs_review: the swap service says success, but shows no delivery. unknown: a status that this service does not know",
})
export type SwapSubstatus = typeof SwapSubstatus.Type

/** A transaction on one of the chains. */
export const SwapTransaction = Schema.Struct({
  hash: field(Schema.String, "Transaction hash on its chain"),
  explorerUrl: field(Schema.NullOr(Schema.String), "Page of the transaction in an explorer; null when none is known"),
}).annotate({ identifier: "SwapTransaction", description: "A transaction of a swap on one of its chains" })
export type SwapTransaction = typeof SwapTransaction.Type

const inTokens = (amount: string) =>
  field(Schema.NullOr(Schema.String), `${amount} in whole tokens, a decimal string; null when it is`)
const usd = (amount: string) =>
  field(
    Schema.NullOr(Schema.String),
    `${amount} in USD as the swap service values it, a decimal string; null when it does not`,
  )

const swapFields = {
  id: field(TransactionId, "Id of the swap and of its transaction record, a UUID"),
  status: field(TransactionStatus, "pending, success or failed; a refund is failed"),
  substatus: SwapSubstatus,
  upstreamStatus: Schema.NullOr(Schema.String).annotate({
    description: "Status in the words of the swap service; null until it was asked",
  }),
  userAddress: field(ForeignAddress, "User that lists show the swap for"),
  originAsset: field(AssetId, "Asset that is sent"),
  destinationAsset: field(AssetId, "Asset that is received"),
  originChain: field(Schema.String, "Chain of the origin asset, as the swap service writes it"),
  destinationChain: field(Schema.String, "Chain of the destination asset, as the swap service writes it"),
  swapType: field(SwapType, SWAP_TYPE),
  depositType: field(OriginType, `Where the deposit comes from. ${ORIGIN_TYPE}`),
  refundType: field(OriginType, `Where refunds go to. ${ORIGIN_TYPE}`),
  recipientType: field(RecipientType, `Where the recipient is. ${RECIPIENT_TYPE}`),
  recipient: field(ForeignAddress, "Address that is paid, on the chain of the destination asset"),
  refundTo: field(ForeignAddress, "Address that refunds go to, on the chain of the origin asset"),
  depositAddress: DepositAddress,
  depositMemo: field(Schema.NullOr(DepositMemo), "Memo that the deposit has to carry; null when it needs none"),
  isPayable: field(Schema.Boolean, "Whether a deposit is still wanted; false: pay nothing"),
  reported: field(
    Schema.Boolean,
    "Whether a client reported a transfer that the swap service has not refused. Anyone can report: see deposits",
  ),
  depositBy: field(Timestamp, "Time to pay by: later deposits are refunded"),
  inactiveAt: field(
    Timestamp,
    "Time from which the swap service does not watch the address any more: what is sent to it later may be lost",
  ),
  timeEstimateSeconds: field(Schema.Finite, "Time that the swap was expected to take after the deposit, in seconds"),
  slippageTolerance: field(Schema.Int, "Slippage that is allowed, in basis points; 100 is 1 %"),
  appFees: field(Schema.Array(AppFee), "Application fees that the swap service granted"),
  slippage: field(
    Schema.NullOr(Schema.Finite),
    "Slippage of the finished swap in basis points, as the swap service says; null until it does",
  ),
  amountIn: field(
    Units,
    "In smallest units of the origin asset: as quoted, and once the swap is done what was swapped",
  ),
  amountInFormatted: field(Schema.String, "amountIn in whole tokens, a decimal string"),
  amountInUsd: usd("amountIn"),
  minAmountIn: field(Units, "Minimum amount that has to arrive, in smallest units of the origin asset"),
  amountOut: field(
    Units,
    "In smallest units of the destination asset: as quoted, and once the swap is done what was delivered",
  ),
  amountOutFormatted: field(Schema.String, "amountOut in whole tokens, a decimal string"),
  amountOutUsd: usd("amountOut"),
  minAmountOut: field(Units, "Minimum amount that is delivered, in smallest units of the destination asset"),
  depositedAmount: field(
    Schema.NullOr(Units),
    "Amount that has arrived, in smallest units of the origin asset; null until that is known",
  ),
  depositedAmountFormatted: inTokens("depositedAmount"),
  depositedAmountUsd: usd("depositedAmount"),
  missingAmount: field(
    Schema.NullOr(Units),
    "Amount that an incomplete deposit lacks, in smallest units of the origin asset; null when it is not incomplete",
  ),
  refundedAmount: field(
    Schema.NullOr(Units),
    "Amount that was refunded, in smallest units of the origin asset; null without a refund",
  ),
  refundedAmountFormatted: inTokens("refundedAmount"),
  refundedAmountUsd: usd("refundedAmount"),
  refundReason: field(
    Schema.NullOr(Schema.String),
    "Why the deposit was refunded, in the words of the swap service; null without a reason",
  ),
  refundFee: field(
    Schema.NullOr(Units),
    "Deducted from a refund, in smallest units of the origin asset: as quoted, or as it was taken; null when unknown",
  ),
  withdrawFee: field(
    Schema.NullOr(Units),
    "Fee of the delivery, in smallest units of the destination asset, deducted from amountOut already; null when unknown",
  ),
  originTxs: field(Schema.Array(SwapTransaction), "Transactions on the chain of the origin asset"),
  destinationTxs: field(Schema.Array(SwapTransaction), "Transactions on the chain of the destination asset"),
  intentHashes: field(Schema.Array(Schema.String), "Intents of the swap inside of the swap service"),
  nearTxHashes: field(Schema.Array(Schema.String), "Transactions of the swap on NEAR"),
  correlationId: field(
    Schema.NullOr(Schema.String),
    "Id that the support of the swap service asks for; null without one",
  ),
  stalled: field(Schema.Boolean, "true: a deposit is known, and nothing has happened for too long"),
  needsReview: field(
    Schema.Boolean,
    "true: an operator has to look. The swap service contradicts itself, delivered less than quoted, or answers what cannot be read",
  ),
  stale: field(Schema.Boolean, "true: the swap service has not answered lately, so this may be out of date"),
  createdAt: field(Timestamp, "When the swap was quoted"),
  updatedAt: field(Timestamp, "When something of the swap last changed"),
  lastCheckedAt: field(Schema.NullOr(Timestamp), "When the swap service last answered for this swap; null before"),
}

/** A cross-chain swap from its quote to its end. */
export const BridgeSwap = Schema.Struct(swapFields).annotate({
  identifier: "BridgeSwap",
  description: "A swap across chains",
})
export type BridgeSwap = typeof BridgeSwap.Type

/** Something that happened to a swap. */
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
    "deposit_delivered: the swap service accepted a reported transfer. deposit_refused: it refused it. answer_unreadable: its answer could not be read. changed: its answer brought news of the swap",
  ),
  status: field(TransactionStatus, "Status after the event"),
  substatus: field(SwapSubstatus, "Stage after the event"),
  upstreamStatus: field(
    Schema.NullOr(Schema.String),
    "Status in the words of the swap service; null before it was asked",
  ),
  detail: field(Schema.NullOr(Schema.String), "More about the event; null when there is nothing to add"),
}).annotate({ identifier: "SwapEvent", description: "Something that happened to a swap" })
export type SwapEvent = typeof SwapEvent.Type

/** A swap with everything that is kept of it. */
export const BridgeSwapRecord = Schema.Struct({
  ...swapFields,
  deposits: Schema.Array(ReportedDeposit).annotate({ description: "Transfers that clients reported" }),
  timeline: Schema.Array(SwapEvent).annotate({ description: "What happened to the swap, oldest first" }),
  signedQuote: Schema.JsonObject.annotate({
    description: "Quote as the swap service signed it: the evidence in a dispute",
  }),
}).annotate({ identifier: "BridgeSwapRecord", description: "A swap with its deposits, timeline and signed quote" })
export type BridgeSwapRecord = typeof BridgeSwapRecord.Type
