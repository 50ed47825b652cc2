import { releaseOnInterrupt } from "@launch-registry/postgres/LeasedQueue"
import { Clock, Effect, Random, Redacted } from "effect"
import type { IntentsClient, ReceivedReport } from "./intents/IntentsClient.ts"
import { type IntentsUnavailable, isOfOneAnswer } from "./intents/IntentsErrors.ts"
import { pollResult, type PollResult } from "./PollResult.ts"
import { nextPollMillis } from "./SwapPace.ts"
import { type ClaimedSwap, swapQueue } from "./SwapQueue.ts"
import type { Upstream } from "./Upstream.ts"

/** A claimed swap, to be looked at: its due report is submitted, and its status asked for. */
export type Look = Effect.Effect<void>

const warn = (claimed: ClaimedSwap, { row }: PollResult) => {
  const { correlationId, id, needsReview, upstreamStatus } = claimed
  const isUnknown = row.substatus === "unknown" && row.upstreamStatus !== upstreamStatus
  if (!isUnknown && (needsReview || !row.needsReview)) return Effect.void
  const text = isUnknown ? "The swap service reported an unknown status of a swap" : "A swap needs review"
  return Effect.annotateLogs(Effect.logWarning(text), {
    ...{ swapId: id, correlationId: correlationId ?? "", upstreamStatus: row.upstreamStatus ?? "" },
    ...{ substatus: row.substatus, amountOut: row.amountOut, minAmountOut: row.minAmountOut },
  })
}

/** Claims due swaps within the rate. Any number of processes may do so. */
export const dueLooks = Effect.fnUntraced(function* (intents: IntentsClient, upstream: Upstream) {
  const queue = yield* swapQueue

  const postpone = Effect.fnUntraced(function* (
    claimed: ClaimedSwap,
    unreadable?: { readonly detail: string; readonly raw: string | undefined },
  ) {
    const sinceMillis = (yield* Clock.currentTimeMillis) - claimed.progressedAt.getTime()
    const millis = nextPollMillis(claimed.substatus, sinceMillis, claimed.attempts + 1, yield* Random.next)
    if (yield* Effect.orDie(queue.postpone(claimed, millis, unreadable)))
      yield* Effect.logError("The status of a swap cannot be read: the swap needs review").pipe(
        Effect.annotateLogs({ swapId: claimed.id, detail: unreadable?.detail }),
      )
  })

  const unanswered = (claimed: ClaimedSwap, error: IntentsUnavailable) => {
    if (!isOfOneAnswer(error)) return postpone(claimed)
    const detail = error.detail === undefined ? error.reason : `${error.reason}: ${error.detail}`
    return postpone(claimed, { detail, raw: error.text && Redacted.value(error.text) })
  }

  const settle = Effect.fnUntraced(function* (claimed: ClaimedSwap, received: ReceivedReport | undefined) {
    const { raw, report } = received ?? {}
    const result = pollResult(claimed, report, yield* Clock.currentTimeMillis, yield* Random.next)
    const detail = report?.unreadable.length ? `not readable: ${report.unreadable.join(", ")}` : undefined
    if (!(yield* Effect.orDie(queue.settle(claimed, result, { raw, detail })))) return
    yield* warn(claimed, result)
  })

  /** Submits the due report; gives the claim to go on with. */
  const submit = (claimed: ClaimedSwap) => {
    if (claimed.report === null) return Effect.succeed(claimed)
    const { depositAddress, depositMemo, report } = claimed
    const submission = {
      ...{ depositAddress, txHash: report.txHash },
      ...(depositMemo !== null && { memo: depositMemo }),
      ...(report.nearSenderAccount !== null && { nearSenderAccount: report.nearSenderAccount }),
    }
    // The swap service refuses so shortly after a quote, or before it has seen the transfer.
    const refused = ({ message }: Error) => Effect.orDie(queue.noteReport(claimed, { refused: message }))
    return upstream.observed("watch", intents.submitDeposit(submission)).pipe(
      Effect.flatMap(({ raw }) => Effect.orDie(queue.noteReport(claimed, { accepted: raw }))),
      Effect.catchTags({
        DepositAddressUnknown: refused,
        IntentsRefused: refused,
        // The report may be at fault, and anybody may have made it: the swap is polled all the same.
        IntentsUnavailable: ({ message }) => Effect.orDie(queue.noteReport(claimed, { failed: message })),
      }),
    )
  }

  const poll = (claimed: ClaimedSwap) =>
    upstream.observed("watch", intents.status(claimed.depositAddress, claimed.depositMemo ?? undefined)).pipe(
      Effect.catchTag("DepositAddressUnknown", () => Effect.succeed(undefined)),
      Effect.flatMap((received) =>
        // A failed write is retried later and does not hold up other swaps.
        Effect.catchDefect(settle(claimed, received), (defect) =>
          Effect.andThen(
            Effect.logError("The status of a swap cannot be stored", defect).pipe(
              Effect.annotateLogs({ swapId: claimed.id }),
            ),
            postpone(claimed),
          ),
        ),
      ),
      Effect.catchTags({
        IntentsUnavailable: (error) => unanswered(claimed, error),
        // A refused request says nothing of the swap.
        IntentsRefused: () => postpone(claimed),
      }),
      releaseOnInterrupt(queue.release(claimed)),
    )

  const look = (claimed: ClaimedSwap): Look =>
    submit(claimed).pipe(
      releaseOnInterrupt(queue.release(claimed)),
      Effect.flatMap((held) => (held === undefined ? Effect.void : poll(held))),
      Effect.withSpan("lookAtSwap", { kind: "consumer", root: true }),
    )

  /** At most `wanted` looks. */
  return (wanted: number): Effect.Effect<ReadonlyArray<Look>> =>
    upstream
      .within("watch", 0, (most) =>
        Effect.map(Effect.orDie(queue.claim(Math.min(wanted, most))), (claimed) => ({
          value: claimed.map(look),
          requests: claimed.length + claimed.filter(({ report }) => report !== null).length,
        })),
      )
      .pipe(Effect.map((looks) => ("value" in looks ? looks.value : [])))
})
