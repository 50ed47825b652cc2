import { Schema } from "effect"
import { Timestamp } from "../time/Timestamp.ts"
import { TransactionId, TransactionStatus } from "../transactions/Transaction.ts"
import { ReportedDeposit } from "./BridgeDeposit.ts"
import { AppFee, OriginType, RecipientType, SwapType } from "./BridgeQuote.ts"
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
    "expired: nothing was paid in time; a late deposit opens it again. incomplete: less was paid than needed. needs_review: the swap service calls it done and nothing shows that anything was delivered. unknown: a status this service does not know",
})
export type SwapSubstatus = typeof SwapSubstatus.Type

/** A transaction on one of the chains. */
export const SwapTransaction = Schema.Struct({
  hash: Schema.String,
  explorerUrl: Schema.NullOr(Schema.String),
}).annotate({ identifier: "SwapTransaction" })
export type SwapTransaction = typeof SwapTransaction.Type

const inTokens = Schema.NullOr(Schema.String).annotate({ description: "The amount before it, in whole tokens" })
const usd = Schema.NullOr(Schema.String).annotate({
  description: "As the swap service values it, a decimal string; null where it has not said",
})

const swapFields = {
  id: TransactionId.annotate({ description: "Also the id of the transaction record" }),
  status: TransactionStatus.annotateKey({ description: "A refund is failed, never success" }),
  substatus: SwapSubstatus,
  upstreamStatus: Schema.NullOr(Schema.String).annotate({
    description: "As the swap service says it; null until it has been asked",
  }),
  userAddress: ForeignAddress,
  originAsset: AssetId,
  destinationAsset: AssetId,
  originChain: Schema.String,
  destinationChain: Schema.String,
  swapType: SwapType,
  depositType: OriginType,
  refundType: OriginType,
  recipientType: RecipientType,
  recipient: ForeignAddress,
  refundTo: ForeignAddress,
  depositAddress: DepositAddress,
  depositMemo: Schema.NullOr(DepositMemo),
  isPayable: Schema.Boolean.annotate({ description: "Whether a deposit is still wanted: pay nothing when false" }),
  reported: Schema.Boolean.annotate({
    description: "Somebody told of a transfer and the swap service has not refused it. Anybody may: see deposits",
  }),
  depositBy: Timestamp.annotateKey({ description: "Later deposits are refunded" }),
  inactiveAt: Timestamp.annotateKey({ description: "From then on deposits may be lost" }),
  timeEstimateSeconds: Schema.Finite,
  slippageTolerance: Schema.Int,
  appFees: Schema.Array(AppFee),
  slippage: Schema.NullOr(Schema.Finite).annotate({
    description: "Basis points, as the swap service says it once the swap is done",
  }),
  amountIn: Units.annotateKey({ description: "As quoted; what was swapped once it is done" }),
  amountInFormatted: Schema.String.annotate({ description: "amountIn in whole tokens" }),
  amountInUsd: usd,
  minAmountIn: Units.annotateKey({ description: "As quoted; with FLEX_INPUT what has to arrive at least" }),
  amountOut: Units.annotateKey({ description: "As quoted; what was delivered once it is done" }),
  amountOutFormatted: Schema.String.annotate({ description: "amountOut in whole tokens" }),
  amountOutUsd: usd,
  minAmountOut: Units,
  depositedAmount: Schema.NullOr(Units),
  depositedAmountFormatted: inTokens,
  depositedAmountUsd: usd,
  missingAmount: Schema.NullOr(Units).annotateKey({ description: "What an incomplete deposit lacks" }),
  refundedAmount: Schema.NullOr(Units),
  refundedAmountFormatted: inTokens,
  refundedAmountUsd: usd,
  refundReason: Schema.NullOr(Schema.String),
  refundFee: Schema.NullOr(Units).annotateKey({ description: "Of the origin asset; as quoted, or as it was taken" }),
  withdrawFee: Schema.NullOr(Units).annotateKey({
    description: "Of the destination asset; as quoted, or as it was taken. amountOut is without it already",
  }),
  originTxs: Schema.Array(SwapTransaction),
  destinationTxs: Schema.Array(SwapTransaction),
  intentHashes: Schema.Array(Schema.String).annotate({ description: "Intents of the swap inside of the swap service" }),
  nearTxHashes: Schema.Array(Schema.String).annotate({ description: "Transactions of the swap on NEAR" }),
  correlationId: Schema.NullOr(Schema.String).annotate({
    description: "What the support of the swap service asks for",
  }),
  stalled: Schema.Boolean.annotate({ description: "A deposit is known and nothing has happened for too long" }),
  needsReview: Schema.Boolean.annotate({
    description:
      "A person has to look: the swap service contradicts itself, delivered less than quoted, or cannot be understood",
  }),
  stale: Schema.Boolean.annotate({ description: "The swap service was not heard of when it should have been" }),
  createdAt: Timestamp,
  updatedAt: Timestamp.annotateKey({ description: "When something last changed" }),
  lastCheckedAt: Schema.NullOr(Timestamp).annotateKey({ description: "When the swap service last answered for it" }),
}

/** A cross-chain swap from its quote to its end. */
export const BridgeSwap = Schema.Struct(swapFields).annotate({ identifier: "BridgeSwap" })
export type BridgeSwap = typeof BridgeSwap.Type

/** Something that happened to a swap. */
export const SwapEvent = Schema.Struct({
  at: Timestamp,
  type: Schema.Literals([
    "quoted",
    "deposit_reported",
    "deposit_delivered",
    "deposit_refused",
    "answer_unreadable",
    "changed",
  ]),
  status: TransactionStatus,
  substatus: SwapSubstatus,
  upstreamStatus: Schema.NullOr(Schema.String),
  detail: Schema.NullOr(Schema.String),
}).annotate({ identifier: "SwapEvent" })
export type SwapEvent = typeof SwapEvent.Type

/** A swap with everything that is kept of it. */
export const BridgeSwapRecord = Schema.Struct({
  ...swapFields,
  deposits: Schema.Array(ReportedDeposit).annotate({ description: "Transfers that callers reported" }),
  timeline: Schema.Array(SwapEvent).annotate({ description: "Oldest first" }),
  signedQuote: Schema.JsonObject.annotate({ description: "As the swap service signed it: the evidence in a dispute" }),
}).annotate({ identifier: "BridgeSwapRecord" })
export type BridgeSwapRecord = typeof BridgeSwapRecord.Type
