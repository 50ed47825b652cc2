import type { SwapReport } from "./intents/SwapReport.ts"
import { requiredDeposit, type SwapOutcome, swapOutcome } from "./SwapOutcome.ts"
import { nextPollMillis } from "./SwapPace.ts"
import type { ClaimedSwap } from "./SwapQueue.ts"
import type { SwapRow } from "./SwapRow.ts"

/** The swap after a poll, and when it is polled next. */
export interface PollResult {
  readonly row: Omit<SwapRow, "version" | "nextPollAt">
  /** Milliseconds to the next poll; null when there is none. */
  readonly nextPollMillis: number | null
  readonly isChanged: boolean
  readonly outcome: SwapOutcome
}

/** What the swap service says; not the USD values, which change with every price. */
const SAID = [
  ...(["upstreamStatus", "depositedAmount", "refundedAmount", "refundReason", "refundFee", "withdrawFee"] as const),
  ...(["slippage", "intentHashes", "nearTxHashes", "originTxs", "destinationTxs"] as const),
]
const SHOWN = [
  ...SAID,
  ...(["status", "substatus", "amountIn", "amountOut", "missingAmount", "stalled", "needsReview"] as const),
]

/** For comparison: the driver has the fields of a document in another order. */
const plain = (value: unknown): unknown =>
  Array.isArray(value) ? value.map((one) => (typeof one === "object" ? [one.hash, one.explorerUrl] : one)) : value

const isSame = (fields: ReadonlyArray<keyof PollResult["row"]>, left: PollResult["row"], right: PollResult["row"]) =>
  fields.every((field) => JSON.stringify(plain(left[field])) === JSON.stringify(plain(right[field])))

/** Fields that an answer leaves out keep their value, except a USD value whose amount is another one now. */
const merged = (before: PollResult["row"], details: SwapReport["details"]): PollResult["row"] => {
  const isOther = (name: "amountIn" | "amountOut" | "depositedAmount" | "refundedAmount") =>
    details[name] !== undefined && details[name] !== before[name]
  return {
    ...before,
    ...(isOther("amountIn") && { amountInUsd: null }),
    ...(isOther("amountOut") && { amountOutUsd: null }),
    ...(isOther("depositedAmount") && { depositedAmountUsd: null }),
    ...(isOther("refundedAmount") && { refundedAmountUsd: null }),
    ...details,
  }
}

/** The swap after an answer of the swap service, or none where it does not know the address. `random` is in [0, 1). */
export const pollResult = (
  claimed: ClaimedSwap,
  report: SwapReport | undefined,
  nowMillis: number,
  random: number,
): PollResult => {
  const {
    depositHashes,
    leasedUntil: _lease,
    nextPollAt: _next,
    report: _report,
    version: _version,
    ...before
  } = claimed
  const now = new Date(nowMillis)
  const { amountIn, amountInUsd, amountOut, amountOutUsd, ...details } = report?.details ?? {}
  const said = { ...merged(before, details), upstreamStatus: report?.status ?? before.upstreamStatus }
  const progressedAt = isSame(SAID, before, said) ? before.progressedAt : now
  const delivered = amountOut ?? (before.substatus === "delivered" ? before.amountOut : undefined)
  const outcome = swapOutcome({
    upstreamStatus: report?.status,
    money: { ...said, amountOut, refundFee: details.refundFee },
    recipientType: before.recipientType,
    refundStartsAtMillis: before.depositBy.getTime(),
    inactiveAtMillis: before.inactiveAt.getTime(),
    timeEstimateSeconds: before.timeEstimateSeconds,
    requiredAmount: requiredDeposit(before.swapType, before),
    depositTxHashes: depositHashes,
    isReported: before.reported,
    isDepositShown: before.depositShown,
    deliveredAmount: delivered,
    // With EXACT_OUTPUT it is the amount: see QuotedSwap.
    leastAmountOut: before.minAmountOut,
    previous: before,
    lastChangeAtMillis: progressedAt.getTime(),
    nowMillis,
  })
  const { isDepositShown: depositShown, missingAmount, needsReview, stalled, status, substatus } = outcome
  const swapped = {
    ...(amountIn !== undefined && { amountIn }),
    ...(amountInUsd !== undefined && { amountInUsd }),
    ...(amountOut !== undefined && { amountOut }),
    ...(amountOutUsd !== undefined && { amountOutUsd }),
  }
  const row = {
    ...merged(said, substatus === "delivered" ? swapped : {}),
    ...{ depositShown, missingAmount, needsReview, progressedAt, stalled, status, substatus, lastCheckedAt: now },
  }
  const isChanged = !isSame(SHOWN, before, row)
  const sinceMillis = nowMillis - progressedAt.getTime()
  return {
    row: isChanged ? { ...row, updatedAt: now } : row,
    nextPollMillis: outcome.isWatched ? nextPollMillis(substatus, sinceMillis, 0, random) : null,
    isChanged,
    outcome,
  }
}
