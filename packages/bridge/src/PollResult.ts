import type { SwapReport } from "./intents/SwapReport.ts"
import { swapOutcome } from "./SwapOutcome.ts"
import { nextPollMillis } from "./SwapPace.ts"
import type { ClaimedSwap } from "./SwapQueue.ts"
import type { SwapRow } from "./SwapRow.ts"

/** The swap after a poll, and when it is polled next. */
export interface PollResult {
  readonly row: SwapRow
  /** Milliseconds to the next poll; null when there is none. */
  readonly nextPollMillis: number | null
  readonly isChanged: boolean
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

const isSame = (fields: ReadonlyArray<keyof SwapRow>, left: SwapRow, right: SwapRow): boolean =>
  fields.every((field) => JSON.stringify(plain(left[field])) === JSON.stringify(plain(right[field])))

const AMOUNTS = ["amountIn", "amountOut", "depositedAmount", "refundedAmount"] as const

/** Fields that an answer leaves out keep their value, except a USD value whose amount is another one now. */
const merged = <Row extends SwapRow>(before: Row, details: SwapReport["details"]): Row => {
  const others = AMOUNTS.filter((name) => details[name] !== undefined && details[name] !== before[name])
  return { ...before, ...Object.fromEntries(others.map((name) => [`${name}Usd`, null])), ...details }
}

/** The swap after an answer of the swap service, or none where it does not know the address. `random` is in [0, 1). */
export const pollResult = (
  claimed: ClaimedSwap,
  report: SwapReport | undefined,
  nowMillis: number,
  random: number,
): PollResult => {
  const now = new Date(nowMillis)
  const { amountIn, amountInUsd, amountOut, amountOutUsd, ...details } = report?.details ?? {}
  const said = { ...merged(claimed, details), upstreamStatus: report?.status ?? claimed.upstreamStatus }
  const progressedAt = isSame(SAID, claimed, said) ? claimed.progressedAt : now
  const told = { status: report?.status, amountOut, refundFee: details.refundFee }
  const { isWatched, ...outcome } = swapOutcome({ ...said, progressedAt }, told, nowMillis)
  // Until then the amounts are those of the quote.
  const swapped = Object.entries({ amountIn, amountInUsd, amountOut, amountOutUsd }).filter(([, value]) => value)
  const row: SwapRow = {
    ...merged(said, outcome.substatus === "delivered" ? Object.fromEntries(swapped) : {}),
    ...{ ...outcome, progressedAt, lastCheckedAt: now },
  }
  const isChanged = !isSame(SHOWN, claimed, row)
  return {
    row: isChanged ? { ...row, updatedAt: now } : row,
    nextPollMillis: isWatched ? nextPollMillis(outcome.substatus, nowMillis - progressedAt.getTime(), 0, random) : null,
    isChanged,
  }
}
