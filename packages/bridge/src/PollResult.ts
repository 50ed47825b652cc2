import type { SwapTransaction } from "@launch-registry/domain/bridge/BridgeSwap"
import type { IntentsSwapState } from "./intents/IntentsSchemas.ts"
import type { SwapDetails } from "./intents/SwapDetails.ts"
import { nextPollMillis, type PollFacts } from "./intents/PollSchedule.ts"
import { requiredDeposit, type SwapFacts, type SwapOutcome, swapOutcome } from "./intents/SwapOutcome.ts"
import type { ClaimedSwap, Settlement } from "./SwapQueue.ts"
import { laneOf } from "./PollLane.ts"
import type { SwapRow } from "./SwapRow.ts"

/** The answer to a poll; no state when the swap service does not know the deposit address. */
export interface PollAnswer {
  readonly state: IntentsSwapState | undefined
  readonly raw?: string
}

export interface PollResult extends Settlement {
  readonly outcome: SwapOutcome
}

type Transactions = SwapDetails["originChainTxHashes"]

const byHash = (left: SwapTransaction, right: SwapTransaction): number => (left.hash < right.hash ? -1 : 1)

/** Transactions stay known when an answer leaves them out. Sorted, because the order of the answers changes. */
const seen = (transactions: Transactions, before: ReadonlyArray<SwapTransaction>): ReadonlyArray<SwapTransaction> =>
  transactions.length === 0
    ? before
    : transactions.map(({ explorerUrl, hash }) => ({ hash, explorerUrl: explorerUrl ?? null })).toSorted(byHash)

const hashes = (transactions: ReadonlyArray<SwapTransaction>): Transactions =>
  transactions.map(({ explorerUrl, hash }) => (explorerUrl === null ? { hash } : { hash, explorerUrl }))

const optional = <Name extends string>(name: Name, value: string | null) =>
  (value === null ? {} : { [name]: value }) as { readonly [Key in Name]?: string }

type Answered = Pick<
  SwapRow,
  | "upstreamStatus"
  | "depositedAmount"
  | "depositedAmountUsd"
  | "refundedAmount"
  | "refundedAmountUsd"
  | "refundReason"
  | "refundFee"
  | "withdrawFee"
  | "slippage"
  | "originTxs"
  | "destinationTxs"
  | "intentHashes"
  | "nearTxHashes"
>

/** The USD value of an amount: a value that came with another amount is dropped. */
const valueOf = (
  now: { readonly amount: string | undefined; readonly usd: string | undefined },
  before: { readonly amount: string | null; readonly usd: string | null },
): string | null => now.usd ?? (now.amount === undefined || now.amount === before.amount ? before.usd : null)

const listedOr = (now: ReadonlyArray<string> | undefined, before: ReadonlyArray<string>): ReadonlyArray<string> =>
  now === undefined || now.length === 0 ? before : now.toSorted()

/** The swap's facts after this answer: fields that it leaves out keep their value. */
const answered = (claimed: ClaimedSwap, { state }: PollAnswer): Answered => {
  const details = state?.swapDetails
  return {
    upstreamStatus: state?.status ?? claimed.upstreamStatus,
    depositedAmount: details?.depositedAmount ?? claimed.depositedAmount,
    depositedAmountUsd: valueOf(
      { amount: details?.depositedAmount, usd: details?.depositedAmountUsd },
      { amount: claimed.depositedAmount, usd: claimed.depositedAmountUsd },
    ),
    refundedAmount: details?.refundedAmount ?? claimed.refundedAmount,
    refundedAmountUsd: valueOf(
      { amount: details?.refundedAmount, usd: details?.refundedAmountUsd },
      { amount: claimed.refundedAmount, usd: claimed.refundedAmountUsd },
    ),
    refundReason: details?.refundReason ?? claimed.refundReason,
    refundFee: details?.refundFee ?? claimed.refundFee,
    withdrawFee: details?.withdrawFee ?? claimed.withdrawFee,
    slippage: details?.slippage ?? claimed.slippage,
    originTxs: seen(details?.originChainTxHashes ?? [], claimed.originTxs),
    destinationTxs: seen(details?.destinationChainTxHashes ?? [], claimed.destinationTxs),
    intentHashes: listedOr(details?.intentHashes, claimed.intentHashes),
    nearTxHashes: listedOr(details?.nearTxHashes, claimed.nearTxHashes),
  }
}

const detailsOf = (now: Answered, { state }: PollAnswer): SwapDetails => ({
  ...{ originChainTxHashes: [], destinationChainTxHashes: [] },
  ...state?.swapDetails,
  ...optional("depositedAmount", now.depositedAmount),
  ...optional("refundedAmount", now.refundedAmount),
  originChainTxHashes: hashes(now.originTxs),
  destinationChainTxHashes: hashes(now.destinationTxs),
})

const isSame = (left: object, right: object): boolean => JSON.stringify(left) === JSON.stringify(right)

const listed = (transactions: ReadonlyArray<SwapTransaction>) =>
  transactions.map(({ explorerUrl, hash }) => [hash, explorerUrl])

/** For comparison as text. Without USD values: they change with every price. */
const pick = (row: Answered) => [
  ...[row.upstreamStatus, row.depositedAmount, row.refundedAmount, row.refundReason],
  ...[row.refundFee, row.withdrawFee, row.slippage, row.intentHashes, row.nearTxHashes],
  ...[listed(row.originTxs), listed(row.destinationTxs)],
]

/** What counts as progress: a changed link does not. */
const progress = (row: Answered) => [
  ...[row.upstreamStatus, row.depositedAmount, row.refundedAmount, row.refundReason],
  ...[row.originTxs.map(({ hash }) => hash), row.destinationTxs.map(({ hash }) => hash)],
]

/** A swap without the columns that the queue writes. */
type Seen = Omit<SwapRow, "version" | "nextPollAt">

const shown = (row: Seen) => [
  ...pick(row),
  ...[row.status, row.substatus, row.amountIn, row.amountOut, row.missingAmount, row.stalled, row.needsReview],
]

/** What the poll interval depends on. */
export const pollFacts = (row: Seen, nowMillis: number): PollFacts => {
  return {
    lane: row.lane,
    // Polled closely again after every change.
    sinceMillis: (row.lane === 2 ? row.createdAt : row.progressedAt).getTime(),
    nowMillis,
    timeEstimateSeconds: row.timeEstimateSeconds,
    refundStartsAtMillis: row.depositBy.getTime(),
    isSettled: row.status !== "pending" && row.substatus !== "expired",
  }
}

const factsOf = (
  claimed: ClaimedSwap,
  look: PollAnswer,
  now: Answered,
  changeAt: Date,
  nowMillis: number,
): SwapFacts => ({
  upstreamStatus: look.state?.status,
  details: detailsOf(now, look),
  recipientType: claimed.recipientType,
  refundStartsAtMillis: claimed.depositBy.getTime(),
  inactiveAtMillis: claimed.inactiveAt.getTime(),
  timeEstimateSeconds: claimed.timeEstimateSeconds,
  requiredAmount: requiredDeposit(claimed.swapType, claimed),
  depositTxHashes: claimed.depositHashes,
  isReported: claimed.reported,
  isDepositShown: claimed.depositShown,
  deliveredAmount:
    look.state?.swapDetails?.amountOut ?? (claimed.substatus === "delivered" ? claimed.amountOut : undefined),
  // With EXACT_OUTPUT it is the amount: see NewSwapRow.
  leastAmountOut: claimed.minAmountOut,
  previous: { status: claimed.status, substatus: claimed.substatus },
  lastChangeAtMillis: changeAt.getTime(),
  nowMillis,
})

/** The swap after an answer of the swap service, and the time of the next poll. `random` is in [0, 1). */
export const pollResult = (claimed: ClaimedSwap, look: PollAnswer, nowMillis: number, random: number): PollResult => {
  const now = new Date(nowMillis)
  const said = answered(claimed, look)
  const progressedAt = isSame(progress(claimed), progress(said)) ? claimed.progressedAt : now
  const outcome = swapOutcome(factsOf(claimed, look, said, progressedAt, nowMillis))
  const details = look.state?.swapDetails
  const settled = outcome.substatus === "delivered" ? details : undefined
  const {
    depositHashes: _depositHashes,
    leasedUntil: _leasedUntil,
    nextPollAt: _nextPollAt,
    version: _version,
    ...before
  } = claimed
  const row: Seen = {
    ...before,
    ...said,
    lane: laneOf(said, claimed),
    depositShown: outcome.isDepositShown,
    status: outcome.status,
    substatus: outcome.substatus,
    amountIn: settled?.amountIn ?? claimed.amountIn,
    amountInUsd: valueOf(
      { amount: settled?.amountIn, usd: settled?.amountInUsd },
      { amount: claimed.amountIn, usd: claimed.amountInUsd },
    ),
    amountOut: settled?.amountOut ?? claimed.amountOut,
    amountOutUsd: valueOf(
      { amount: settled?.amountOut, usd: settled?.amountOutUsd },
      { amount: claimed.amountOut, usd: claimed.amountOutUsd },
    ),
    missingAmount: outcome.missingAmount ?? null,
    stalled: outcome.stalled,
    needsReview: outcome.needsReview,
    progressedAt,
    lastCheckedAt: now,
  }
  const isChanged = !isSame(shown(before), shown(row))
  return {
    row: { ...row, updatedAt: isChanged ? now : claimed.updatedAt },
    nextPollMillis: outcome.isWatched ? nextPollMillis(pollFacts(row, nowMillis), random) : null,
    isChanged,
    outcome,
    ...(look.raw && { raw: look.raw }),
    ...(look.state?.unreadable && { detail: `not readable: ${look.state.unreadable.join(", ")}` }),
  }
}
