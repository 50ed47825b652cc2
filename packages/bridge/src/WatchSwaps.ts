import { Clock, Effect, Random, Redacted } from "effect"
import { BridgeDeposits } from "./BridgeDeposits.ts"
import { BridgeUpstream } from "./BridgeUpstream.ts"
import { IntentsClient } from "./intents/IntentsClient.ts"
import { type IntentsUnavailable, isOfOneAnswer } from "./intents/IntentsErrors.ts"
import { nextTryMillis } from "./intents/PollSchedule.ts"
import { type PollAnswer, pollResult, type PollResult, pollFacts } from "./PollResult.ts"
import { releaseOnInterrupt } from "@launch-registry/postgres/LeasedQueue"
import { type ClaimedSwap, swapQueue } from "./SwapQueue.ts"

/** A claimed piece of work, with its request already taken from the budget. */
export type Work = Effect.Effect<void>

const warn = (claimed: ClaimedSwap, { outcome, row }: PollResult) => {
  const facts = {
    swapId: claimed.id,
    correlationId: claimed.correlationId ?? "",
    upstreamStatus: row.upstreamStatus ?? "",
    substatus: row.substatus,
  }
  if (outcome.isShort && !claimed.needsReview)
    return Effect.logWarning("A swap delivered less than its quote allows: it needs review").pipe(
      Effect.annotateLogs({ ...facts, amountOut: row.amountOut, minAmountOut: row.minAmountOut }),
    )
  const isNewStatus = row.upstreamStatus !== claimed.upstreamStatus
  if (outcome.isUnknownUpstream && isNewStatus)
    return Effect.logWarning("The swap service reported an unknown status of a swap").pipe(Effect.annotateLogs(facts))
  if (outcome.needsReview && !claimed.needsReview)
    return Effect.logWarning("A swap needs review").pipe(Effect.annotateLogs(facts))
  return Effect.void
}

/**
 * Claims what is due, deposits to submit and swaps to poll, within the budget: each piece is one request to the swap service.
 * Any number of processes may do so.
 */
export const watchSwaps = Effect.gen(function* () {
  const queue = yield* swapQueue
  const deposits = yield* BridgeDeposits
  const upstream = yield* BridgeUpstream
  const intents = yield* IntentsClient

  const untilNextTry = Effect.fnUntraced(function* (claimed: ClaimedSwap, retryAfterMillis: number | undefined) {
    const now = yield* Clock.currentTimeMillis
    const failure = { failures: claimed.attempts + 1, retryAfterMillis }
    return nextTryMillis(pollFacts(claimed, now), failure, yield* Random.next)
  })

  const postpone = Effect.fnUntraced(function* (claimed: ClaimedSwap, retryAfterMillis?: number) {
    yield* Effect.orDie(queue.postpone(claimed, yield* untilNextTry(claimed, retryAfterMillis)))
  })

  const settle = Effect.fnUntraced(function* (claimed: ClaimedSwap, look: PollAnswer) {
    const result = pollResult(claimed, look, yield* Clock.currentTimeMillis, yield* Random.next)
    const isWritten = yield* Effect.orDie(queue.settle(claimed, result))
    if (!isWritten) return
    if (result.detail !== undefined && result.isChanged)
      yield* Effect.logWarning("The status of a swap is partly unreadable").pipe(
        Effect.annotateLogs({ swapId: claimed.id, detail: result.detail }),
      )
    yield* warn(claimed, result)
  })

  /** A failed write is retried later and does not hold up other swaps. */
  const settleOrPostpone = (claimed: ClaimedSwap, state: PollAnswer) =>
    settle(claimed, state).pipe(
      Effect.catchDefect((defect) =>
        Effect.andThen(
          Effect.logError("The status of a swap cannot be stored", defect).pipe(
            Effect.annotateLogs({ swapId: claimed.id }),
          ),
          postpone(claimed),
        ),
      ),
    )

  const unanswered = Effect.fnUntraced(function* (claimed: ClaimedSwap, error: IntentsUnavailable) {
    if (!isOfOneAnswer(error)) return yield* postpone(claimed, error.retryAfterMillis)
    const raw = error.text === undefined ? undefined : Redacted.value(error.text)
    const came = { detail: error.detail === undefined ? error.reason : `${error.reason}: ${error.detail}`, raw }
    const millis = yield* untilNextTry(claimed, error.retryAfterMillis)
    if (yield* Effect.orDie(queue.noteUnreadable(claimed, millis, came)))
      yield* Effect.logError("The status of a swap cannot be read: the swap needs review").pipe(
        Effect.annotateLogs({ swapId: claimed.id, detail: came.detail }),
      )
  })

  const poll = (claimed: ClaimedSwap): Work =>
    upstream.allowed(intents.status(claimed.depositAddress, claimed.depositMemo ?? undefined)).pipe(
      Effect.flatMap(({ raw, state }) => settleOrPostpone(claimed, { state, raw })),
      Effect.catchTags({
        DepositAddressUnknown: () => settleOrPostpone(claimed, { state: undefined }),
        IntentsUnavailable: (error) => unanswered(claimed, error),
        // A refused request says nothing of the swap.
        IntentsRefused: () => postpone(claimed),
      }),
      releaseOnInterrupt(queue.release(claimed)),
      Effect.withSpan("lookAtSwap", { kind: "consumer", root: true }),
    )

  /** At most `wanted` pieces of work. */
  return Effect.fn("watchSwaps")(function* (wanted: number) {
    const dueReports = yield* deposits.countDue(wanted)
    const due = yield* Effect.orDie(queue.countDue(wanted))
    const dueSwaps = due.paid + due.unpaid
    const { count: allowed, giveBack } = yield* upstream.allowance(Math.min(wanted, dueReports + dueSwaps))
    if (allowed === 0) return []
    // Anyone can make quotes, so a part of the rate is reserved for paid swaps.
    const unpaid = yield* upstream.unpaid(Math.min(allowed, due.unpaid))
    // Anyone can report deposits, so half of the budget is reserved for polls.
    const share = due.paid + unpaid.count === 0 ? allowed : Math.floor(allowed / 2 + (yield* Random.next))
    const reports = share === 0 ? [] : yield* deposits.claim(share)
    const swaps = yield* Effect.orDie(queue.claim(allowed - reports.length, unpaid.count))
    yield* unpaid.giveBack(unpaid.count - swaps.filter(({ lane }) => lane === 2).length)
    yield* giveBack(allowed - reports.length - swaps.length)
    return [...reports, ...swaps.map(poll)]
  })
})
