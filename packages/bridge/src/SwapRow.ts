import { wholeTokens } from "@launch-registry/chain/launch/CurveMath"
import { BridgeSwap } from "@launch-registry/domain/bridge/BridgeSwap"
import { timestampOf } from "@launch-registry/domain/time/Timestamp"
import type { Position } from "@launch-registry/http/answers/Cursor"
import { columnsOf, type RowOf } from "@launch-registry/postgres/SchemaRow"

/** A poll that is this late could not be made. */
const OVERDUE_MILLIS = 30_000

/** Fields of an answer that are made of the row and the moment; all others are columns. */
type Made = "isPayable" | "stale" | Extract<keyof BridgeSwap, `${string}Formatted`>

/** Stored fields of a swap that are never answered. */
interface Unanswered {
  readonly originDecimals: number
  readonly destinationDecimals: number
  readonly hasApiKey: boolean
  /** The swap service itself said once that there is a deposit. */
  readonly depositShown: boolean
  /** When the answer of the swap service last changed. */
  readonly progressedAt: Date
  /** Null when it is no longer polled. */
  readonly nextPollAt: Date | null
  /** Polls in a row that failed. */
  readonly attempts: number
  readonly version: number
}

const UNANSWERED: Readonly<Record<keyof Unanswered, true>> = {
  ...{ originDecimals: true, destinationDecimals: true, hasApiKey: true, depositShown: true, progressedAt: true },
  ...{ nextPollAt: true, attempts: true, version: true },
}

const MADE: Readonly<Record<Made, true>> = {
  ...{ isPayable: true, stale: true, amountInFormatted: true, amountOutFormatted: true },
  ...{ depositedAmountFormatted: true, refundedAmountFormatted: true },
}

/** Columns of a swap, of a table alias. */
export const swapColumnsOf = (alias: string): string =>
  columnsOf(
    alias,
    Object.keys({ ...BridgeSwap.fields, ...UNANSWERED }).filter((field) => !(field in MADE)),
    { reported: `exists (select from bridge_deposits d where d.swap_id = ${alias}.id and not d.is_refused)` },
  )

/** Of alias `s`. */
export const SWAP_COLUMNS = swapColumnsOf("s")

/** A swap as the driver gives it; what the columns hold was checked when it was written. */
export type SwapRow = Omit<RowOf<BridgeSwap>, Made | "depositBy"> & { readonly depositBy: Date } & Unanswered

/** What an answer depends on besides the row. */
export interface SwapView {
  readonly nowMillis: number
  /** The breaker for polls is open. */
  readonly isAway: boolean
}

const isStale = (row: SwapRow, { isAway, nowMillis }: SwapView): boolean =>
  row.nextPollAt !== null && (isAway || row.attempts > 0 || nowMillis - row.nextPollAt.getTime() > OVERDUE_MILLIS)

const inTokens = (units: string | null, decimals: number): string | null =>
  units === null ? null : wholeTokens(BigInt(units), decimals)

const isPayable = (row: SwapRow, { nowMillis }: SwapView): boolean =>
  (row.substatus === "awaiting_deposit" || row.substatus === "incomplete") &&
  nowMillis < Math.min(row.depositBy.getTime(), row.inactiveAt.getTime())

/** Written out: with as many fields as this, picking them by name takes twice the time. */
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
  depositBy: timestampOf(row.depositBy),
  inactiveAt: timestampOf(row.inactiveAt),
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
  createdAt: timestampOf(row.createdAt),
  updatedAt: timestampOf(row.updatedAt),
  lastCheckedAt: row.lastCheckedAt && timestampOf(row.lastCheckedAt),
})

export const positionOf = ({ createdAt, id }: SwapRow): Position => ({ createdAt, id })
