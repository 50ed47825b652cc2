import { Clock, Effect, Random } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { BridgeDeposits } from "./BridgeDeposits.ts"
import { BridgeUpstream } from "./BridgeUpstream.ts"
import { IntentsClient } from "./intents/IntentsClient.ts"
import { nextTryMillis } from "./intents/PollSchedule.ts"
import { type Look, lookAt, type LookResult, pollFacts } from "./SwapLook.ts"
import { type ClaimedSwap, swapQueue } from "./SwapQueue.ts"

/** A piece of work that was claimed and has its request allowed. */
export type Work = Effect.Effect<void>

const warn = (claimed: ClaimedSwap, { outcome, row }: LookResult) => {
  const facts = {
    swapId: claimed.id,
    correlationId: claimed.correlationId ?? "",
    upstreamStatus: row.upstreamStatus ?? "",
    substatus: row.substatus,
  }
  const isNewStatus = row.upstreamStatus !== claimed.upstreamStatus
  if (outcome.isUnknownUpstream && isNewStatus)
    return Effect.logWarning("The swap service says of a swap what nobody here knows").pipe(Effect.annotateLogs(facts))
  if (outcome.needsReview && !claimed.needsReview)
    return Effect.logWarning("A swap needs review").pipe(Effect.annotateLogs(facts))
  return Effect.void
}

/**
 * Claims what is due, reports and swaps, as far as the budget goes: each piece is one request to the swap service. Any number
 * of processes may do so. A claim that nobody works off is due again when its time is over.
 */
export const watchSwaps = Effect.gen(function* () {
  const queue = swapQueue(yield* SqlClient)
  const deposits = yield* BridgeDeposits
  const upstream = yield* BridgeUpstream
  const intents = yield* IntentsClient

  const settle = Effect.fnUntraced(function* (claimed: ClaimedSwap, look: Look) {
    const result = lookAt(claimed, look, yield* Clock.currentTimeMillis, yield* Random.next)
    const isWritten = yield* Effect.orDie(queue.settle(claimed, result))
    if (isWritten) yield* warn(claimed, result)
  })

  const postpone = Effect.fnUntraced(function* (claimed: ClaimedSwap, retryAfterMillis: number | undefined) {
    const now = yield* Clock.currentTimeMillis
    const facts = pollFacts(claimed, claimed.depositHashes.length > 0, now)
    const pause = nextTryMillis(facts, { failures: claimed.attempts + 1, retryAfterMillis }, yield* Random.next)
    yield* Effect.orDie(queue.postpone(claimed, new Date(now + pause)))
  })

  const look = (claimed: ClaimedSwap): Work =>
    upstream.allowed(intents.status(claimed.depositAddress, claimed.depositMemo ?? undefined)).pipe(
      Effect.flatMap(({ raw, state }) => settle(claimed, { state, raw })),
      Effect.catchTags({
        DepositAddressUnknown: () => settle(claimed, { state: undefined }),
        IntentsUnavailable: ({ retryAfterMillis }) => postpone(claimed, retryAfterMillis),
        // A refusal to tell says nothing of the swap.
        IntentsRefused: () => postpone(claimed, undefined),
      }),
      Effect.withSpan("lookAtSwap"),
    )

  /** At most `wanted` pieces of work. */
  return Effect.fn("watchSwaps")(function* (wanted: number) {
    const dueReports = yield* deposits.countDue(wanted)
    const dueSwaps = yield* Effect.orDie(queue.countDue(wanted))
    const allowed = yield* upstream.allowance(Math.min(wanted, dueReports + dueSwaps))
    if (allowed === 0) return []
    // Anybody may report deposits: however many there are, swaps are looked at as well.
    const share = dueSwaps === 0 ? allowed : Math.floor(allowed / 2 + (yield* Random.next))
    const reports = share === 0 ? [] : yield* deposits.claim(share)
    const swaps = yield* Effect.orDie(queue.claim(allowed - reports.length))
    yield* upstream.giveBack(allowed - reports.length - swaps.length)
    return [...reports, ...swaps.map(look)]
  })
})
