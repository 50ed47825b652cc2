import { wholeTokens } from "@launch-registry/chain/launch/CurveMath"
import type { AppFee, OriginType, RecipientType, SwapType } from "@launch-registry/domain/bridge/BridgeQuote"
import type { BridgeSwap, SwapSubstatus, SwapTransaction } from "@launch-registry/domain/bridge/BridgeSwap"
import type { TransactionId, TransactionStatus } from "@launch-registry/domain/transactions/Transaction"
import type { Position } from "../http/Cursor.ts"
import type { SwapLane } from "./intents/PollSchedule.ts"

/** A look that is this late means that nobody could look. */
const OVERDUE_MILLIS = 30_000

/** Columns of a swap, of table alias `s`. */
export const SWAP_COLUMNS =
  "s.id, s.user_address, s.origin_asset, s.destination_asset, s.origin_chain, s.destination_chain, s.origin_decimals, s.destination_decimals, s.swap_type, s.recipient, s.recipient_type, s.deposit_type, s.refund_type, s.refund_to, s.slippage_tolerance, s.app_fees, s.has_api_key, s.deposit_address, s.deposit_memo, s.deposit_by, s.inactive_at, s.time_estimate_seconds, s.amount_in, s.amount_out, s.min_amount_in, s.min_amount_out, s.amount_in_usd, s.amount_out_usd, s.deposited_amount_usd, s.refunded_amount_usd, s.slippage, s.refund_fee, s.withdraw_fee, s.intent_hashes, s.near_tx_hashes, s.correlation_id, s.status, s.substatus, s.upstream_status, s.deposit_shown, s.deposited_amount, s.missing_amount, s.refunded_amount, s.refund_reason, s.origin_txs, s.destination_txs, s.stalled, s.needs_review, s.created_at, s.updated_at, s.progressed_at, s.last_checked_at, s.lane, s.next_poll_at, s.attempts, s.unreadable_answers, s.version, exists (select from bridge_deposits d where d.swap_id = s.id and not d.is_refused) as reported"

/** A swap as the driver gives it; what the columns hold was checked when it was written. */
export interface SwapRow {
  readonly id: TransactionId
  readonly userAddress: string
  readonly originAsset: string
  readonly destinationAsset: string
  readonly originChain: string
  readonly destinationChain: string
  readonly originDecimals: number
  readonly destinationDecimals: number
  readonly swapType: SwapType
  readonly recipient: string
  readonly recipientType: RecipientType
  readonly depositType: OriginType
  readonly refundType: OriginType
  readonly refundTo: string
  readonly slippageTolerance: number
  readonly appFees: ReadonlyArray<AppFee>
  readonly hasApiKey: boolean
  readonly depositAddress: string
  readonly depositMemo: string | null
  readonly depositBy: Date
  readonly inactiveAt: Date
  readonly timeEstimateSeconds: number
  readonly amountIn: string
  readonly amountOut: string
  readonly minAmountIn: string
  readonly minAmountOut: string
  /** USD as the swap service says it, for display. */
  readonly amountInUsd: string | null
  readonly amountOutUsd: string | null
  readonly depositedAmountUsd: string | null
  readonly refundedAmountUsd: string | null
  /** Basis points; null until the swap service says it. */
  readonly slippage: number | null
  readonly refundFee: string | null
  readonly withdrawFee: string | null
  readonly intentHashes: ReadonlyArray<string>
  readonly nearTxHashes: ReadonlyArray<string>
  readonly correlationId: string | null
  readonly status: TransactionStatus
  readonly substatus: SwapSubstatus
  readonly upstreamStatus: string | null
  /** The swap service said once that there is a deposit. */
  readonly depositShown: boolean
  readonly depositedAmount: string | null
  readonly missingAmount: string | null
  readonly refundedAmount: string | null
  readonly refundReason: string | null
  readonly originTxs: ReadonlyArray<SwapTransaction>
  readonly destinationTxs: ReadonlyArray<SwapTransaction>
  readonly stalled: boolean
  readonly needsReview: boolean
  readonly createdAt: Date
  readonly updatedAt: Date
  /** When the swap service last said something new, or first took a reported transfer of a swap that nobody had paid. */
  readonly progressedAt: Date
  readonly lastCheckedAt: Date | null
  /** Who knows of a deposit: see SwapLane. */
  readonly lane: SwapLane
  /** Null when nobody looks at it any more. */
  readonly nextPollAt: Date | null
  /** Looks in a row that found nobody. */
  readonly attempts: number
  /** Answers in a row that could not be read. */
  readonly unreadableAnswers: number
  readonly version: number
  /** A caller told of a transfer that the swap service has not refused to the end. Read along; no column. */
  readonly reported: boolean
}

/** What an answer depends on beside the row. */
export interface SwapView {
  readonly nowMillis: number
  /** The swap service has not answered lately, whatever it was asked. */
  readonly isAway: boolean
}

const isStale = (row: SwapRow, { isAway, nowMillis }: SwapView): boolean =>
  row.nextPollAt !== null && (isAway || row.attempts > 0 || nowMillis - row.nextPollAt.getTime() > OVERDUE_MILLIS)

const inTokens = (units: string | null, decimals: number): string | null =>
  units === null ? null : wholeTokens(BigInt(units), decimals)

const isPayable = (row: SwapRow, { nowMillis }: SwapView): boolean =>
  (row.substatus === "awaiting_deposit" || row.substatus === "incomplete") &&
  nowMillis < Math.min(row.depositBy.getTime(), row.inactiveAt.getTime())

export const toSwap = (row: SwapRow, view: SwapView): BridgeSwap => ({
  id: row.id,
  status: row.status,
  substatus: row.substatus,
  upstreamStatus: row.upstreamStatus,
  userAddress: row.userAddress,
  originAsset: row.originAsset,
  destinationAsset: row.destinationAsset,
  originChain: row.originChain,
  destinationChain: row.destinationChain,
  swapType: row.swapType,
  depositType: row.depositType,
  refundType: row.refundType,
  recipientType: row.recipientType,
  recipient: row.recipient,
  refundTo: row.refundTo,
  depositAddress: row.depositAddress,
  depositMemo: row.depositMemo,
  isPayable: isPayable(row, view),
  reported: row.reported,
  depositBy: row.depositBy.toISOString(),
  inactiveAt: row.inactiveAt.toISOString(),
  timeEstimateSeconds: row.timeEstimateSeconds,
  slippageTolerance: row.slippageTolerance,
  appFees: row.appFees,
  slippage: row.slippage,
  amountIn: row.amountIn,
  amountInFormatted: wholeTokens(BigInt(row.amountIn), row.originDecimals),
  amountInUsd: row.amountInUsd,
  minAmountIn: row.minAmountIn,
  amountOut: row.amountOut,
  amountOutFormatted: wholeTokens(BigInt(row.amountOut), row.destinationDecimals),
  amountOutUsd: row.amountOutUsd,
  minAmountOut: row.minAmountOut,
  depositedAmount: row.depositedAmount,
  depositedAmountFormatted: inTokens(row.depositedAmount, row.originDecimals),
  depositedAmountUsd: row.depositedAmountUsd,
  missingAmount: row.missingAmount,
  refundedAmount: row.refundedAmount,
  refundedAmountFormatted: inTokens(row.refundedAmount, row.originDecimals),
  refundedAmountUsd: row.refundedAmountUsd,
  refundReason: row.refundReason,
  refundFee: row.refundFee,
  withdrawFee: row.withdrawFee,
  originTxs: row.originTxs,
  destinationTxs: row.destinationTxs,
  intentHashes: row.intentHashes,
  nearTxHashes: row.nearTxHashes,
  correlationId: row.correlationId,
  stalled: row.stalled,
  needsReview: row.needsReview,
  stale: isStale(row, view),
  createdAt: row.createdAt.toISOString(),
  updatedAt: row.updatedAt.toISOString(),
  lastCheckedAt: row.lastCheckedAt?.toISOString() ?? null,
})

export const positionOf = ({ createdAt, id }: SwapRow): Position => ({ createdAt, id })
