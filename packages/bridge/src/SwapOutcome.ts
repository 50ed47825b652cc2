import type { SwapType } from "@launch-registry/domain/bridge/BridgeQuote"
import { followedUntil } from "./SwapPace.ts"
import type { ClaimedSwap } from "./SwapQueue.ts"
import type { SwapRow } from "./SwapRow.ts"

const STALLED_MILLIS_MIN = 600_000
const STALLED_ESTIMATES = 8
/** From then on a stalled swap needs review. */
const REVIEW_MILLIS = 86_400_000

/** A swap with what was said of its money until now; its status is the one before. */
export interface FollowedSwap
  extends
    Pick<SwapRow, "status" | "substatus" | "recipientType" | "swapType" | "timeEstimateSeconds" | "reported">,
    Pick<
      SwapRow,
      "depositBy" | "inactiveAt" | "progressedAt" | "amountIn" | "minAmountIn" | "amountOut" | "minAmountOut"
    >,
    Pick<ClaimedSwap, "depositedAmount" | "refundedAmount" | "depositShown" | "depositHashes"> {
  readonly originTxs: ReadonlyArray<{ readonly hash: string }>
  readonly destinationTxs: ReadonlyArray<{ readonly hash: string }>
}

/** What the upstream says of it now. */
export interface Told {
  /** Unchanged. `undefined`: 404, it does not know the deposit address. */
  readonly status: string | undefined
  readonly amountOut?: string | undefined
  readonly refundFee?: string | undefined
}

/** The state of a swap that its record shows, and whether to go on polling. */
export interface SwapOutcome extends Pick<
  SwapRow,
  "status" | "substatus" | "stalled" | "needsReview" | "depositShown" | "missingAmount"
> {
  /** Whether to go on polling the upstream. */
  readonly isWatched: boolean
}

/** The least that has to be delivered: with EXACT_OUTPUT the amount itself, not the quote's minimum. */
export const leastDelivery = (
  swapType: SwapType,
  quote: { readonly amountOut: string; readonly minAmountOut: string },
): string => (swapType === "EXACT_OUTPUT" ? quote.amountOut : quote.minAmountOut)

const isMore = (amount: string | null | undefined): amount is string => BigInt(amount ?? "0") > 0n

/** Transfers inside the swap service have no transaction on a chain: there the amount alone is proof. */
const isDelivered = ({ destinationTxs, recipientType }: FollowedSwap, { amountOut }: Told): boolean =>
  isMore(amountOut) || (recipientType === "DESTINATION_CHAIN" && destinationTxs.length > 0)

/** The whole deposit was refunded, less the refund's fee. */
const isRefundedInFull = ({ depositedAmount, refundedAmount }: FollowedSwap, { refundFee }: Told): boolean =>
  isMore(depositedAmount) &&
  isMore(refundedAmount) &&
  BigInt(refundedAmount) + BigInt(refundFee ?? "0") >= BigInt(depositedAmount)

type End = readonly [SwapOutcome["status"], SwapOutcome["substatus"]]

const ENDS: ReadonlyMap<string | undefined, End> = new Map([
  ["KNOWN_DEPOSIT_TX", ["pending", "deposit_seen"]],
  ["PROCESSING", ["pending", "processing"]],
  ["INCOMPLETE_DEPOSIT", ["pending", "incomplete"]],
  ["REFUNDED", ["failed", "refunded"]],
  ["FAILED", ["failed", "failed"]],
])

/**
 * The upstream also says SUCCESS for swaps that it refunded in full, so evidence decides
 * (github.com/defuse-protocol/one-click-sdk-typescript/issues/20).
 */
const endOfSuccess = (swap: FollowedSwap, told: Told): End => {
  if (isDelivered(swap, told) && !isRefundedInFull(swap, told)) return ["success", "delivered"]
  // Both delivered and refunded in full: contradictory, so it needs review.
  if (isDelivered(swap, told) && swap.destinationTxs.length > 0) return ["pending", "needs_review"]
  return isMore(swap.refundedAmount) ? ["failed", "refunded"] : ["pending", "needs_review"]
}

const endWithoutNews = (swap: FollowedSwap, nowMillis: number): End => {
  const { depositBy, depositHashes, depositShown, inactiveAt, reported, substatus } = swap
  if (substatus === "processing" || substatus === "incomplete") return ["pending", substatus]
  if (depositShown || depositHashes.length > 0 || isMore(swap.depositedAmount) || swap.originTxs.length > 0)
    return ["pending", "deposit_seen"]
  const expiresAt = Math.min(depositBy.getTime(), inactiveAt.getTime())
  // A reported deposit keeps an open swap from expiring until it is refused; an expired swap is reopened only by a real one.
  const mayBePaid = reported && substatus !== "expired"
  const end = mayBePaid ? followedUntil("awaiting_deposit", expiresAt, inactiveAt.getTime()) : expiresAt
  return nowMillis >= end ? ["failed", "expired"] : ["pending", "awaiting_deposit"]
}

const endOf = (swap: FollowedSwap, told: Told, nowMillis: number): End => {
  const { status, substatus } = swap
  const end = told.status === "SUCCESS" ? endOfSuccess(swap, told) : ENDS.get(told.status)
  // 404, PENDING_DEPOSIT and unknown statuses do not revoke an end that was seen; nor does a lagging replica revoke a proven one.
  // Evidence of both delivery and refund, however, puts the end itself in doubt.
  const isSettled = status !== "pending" && substatus !== "expired"
  const isDoubt = told.status === "SUCCESS" && isDelivered(swap, told)
  const isLagging = end?.[0] === "pending" && substatus !== "failed" && !isDoubt
  if (isSettled && (end === undefined || isLagging)) return [status, substatus]
  if (end !== undefined) return end
  const isSilent = told.status === undefined || told.status === "PENDING_DEPOSIT"
  return isSilent ? endWithoutNews(swap, nowMillis) : ["pending", "unknown"]
}

/** Nothing can change any more. */
const isProven = ({ destinationTxs, recipientType, refundedAmount }: FollowedSwap, end: string): boolean =>
  end === "delivered"
    ? recipientType === "INTENTS" || destinationTxs.length > 0
    : end === "refunded" && isMore(refundedAmount)

/** How long an expected change is overdue, in milliseconds; 0 while it is in time. */
const lateMillis = (swap: FollowedSwap, [status, substatus]: End, nowMillis: number): number => {
  if (status !== "pending" || substatus === "awaiting_deposit") return 0
  const allowed = Math.max(STALLED_MILLIS_MIN, STALLED_ESTIMATES * swap.timeEstimateSeconds * 1_000)
  // A deposit that is too small may be topped up until the refund starts.
  const from = substatus === "incomplete" ? swap.depositBy.getTime() : -Infinity
  return Math.max(0, nowMillis - Math.max(swap.progressedAt.getTime(), from) - allowed)
}

/**
 * Whether the upstream itself has seen a deposit. Anybody may report one, and it repeats unchecked the hashes that were submitted.
 */
const isDepositShown = (swap: FollowedSwap, { status }: Told): boolean =>
  swap.depositShown ||
  status === "SUCCESS" ||
  (ENDS.has(status) && status !== "FAILED") ||
  isMore(swap.depositedAmount) ||
  swap.originTxs.some(({ hash }) => !swap.depositHashes.includes(hash))

/**
 * With EXACT_OUTPUT `amountIn` includes a buffer for slippage; with FLEX_INPUT less than `amountIn` is enough.
 */
const missingOf = ({ amountIn, depositedAmount, minAmountIn, swapType }: FollowedSwap): string | null => {
  if (depositedAmount === null) return null
  const missing = BigInt(swapType === "EXACT_INPUT" ? amountIn : minAmountIn) - BigInt(depositedAmount)
  return missing > 0n ? missing.toString() : null
}

/**
 * The outcome of a swap for any answer of the upstream. A refund is never a success; once a deposit is known, our clock
 * alone never makes a swap `failed`; and an end that evidence proves is not overturned by an answer without evidence.
 */
export const swapOutcome = (swap: FollowedSwap, told: Told, nowMillis: number): SwapOutcome => {
  const end = endOf(swap, told, nowMillis)
  const [status, substatus] = end
  const late = lateMillis(swap, end, nowMillis)
  const isWatched =
    !isProven(swap, substatus) &&
    nowMillis < followedUntil(substatus, swap.progressedAt.getTime(), swap.inactiveAt.getTime())
  const delivered = told.amountOut ?? (swap.substatus === "delivered" ? swap.amountOut : undefined)
  // An operator should contact the upstream's support, with the signed quote and the correlationId.
  const needsReview =
    // With EXACT_OUTPUT the minimum is the amount: see QuotedSwap.
    (substatus === "delivered" && delivered !== undefined && BigInt(delivered) < BigInt(swap.minAmountOut)) ||
    (told.status === "SUCCESS" && !(status === "success" && isDelivered(swap, told))) ||
    late > REVIEW_MILLIS ||
    (status === "pending" && !isWatched)
  return {
    ...{ status, substatus, needsReview, isWatched, stalled: late > 0 || substatus === "needs_review" },
    depositShown: isDepositShown(swap, told),
    missingAmount: substatus === "incomplete" ? missingOf(swap) : null,
  }
}
