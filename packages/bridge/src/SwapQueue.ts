import { BridgeOutcome, BridgeOutcomes } from "@launch-registry/domain/notifications/BridgeOutcomes"
import { BridgeRecords } from "@launch-registry/domain/bridge/BridgeRecords"
import { leasedQueue } from "@launch-registry/postgres/LeasedQueue"
import { picking } from "@launch-registry/postgres/SchemaRow"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { PollResult } from "./PollResult.ts"
import { withEvent } from "./SwapEvents.ts"
import { SWAP_COLUMNS, type SwapRow } from "./SwapRow.ts"

/** Longer than the deadlines of both requests of a look. */
const LEASE_MILLIS = 30_000
/** Polls in a row that failed, after which an unreadable answer needs review. */
const UNREADABLE_MAX = 3
/** Before a refused report is submitted again: grows with the square of its refusals. */
const RETRY_MILLIS = 10_000
/** A report that is refused for this long is not submitted any more; its swap is still polled. */
const REFUSED_MILLIS_MAX = 86_400_000

/** A swap that this process has claimed for a look. */
export interface ClaimedSwap extends SwapRow {
  /** Reported deposits that the swap service accepted, oldest first. */
  readonly depositHashes: ReadonlyArray<string>
  /** The report to submit, if one is due. */
  readonly report: {
    readonly txHash: string
    readonly nearSenderAccount: string | null
    readonly reportedAt: string
  } | null
  readonly leasedUntil: Date
}

/** What the swap service said of a report. */
export type ReportAnswer = { readonly accepted: string } | { readonly refused: string } | { readonly failed: string }

const { type: _, ...outcomeFields } = BridgeOutcome.fields
const pickOutcome = picking<Omit<BridgeOutcome, "type">>(outcomeFields)

/** Whether a paid swap has just ended. Anyone can make quotes, so nobody is told of those that expire. */
const isNewOutcome = (before: ClaimedSwap, { status, substatus }: SwapRow): boolean =>
  status !== "pending" && substatus !== "expired" && (status !== before.status || substatus !== before.substatus)

/** What a poll writes. */
const WRITTEN = [
  ...(["status", "substatus", "upstreamStatus", "depositShown", "amountIn", "amountInUsd", "amountOut"] as const),
  ...(["amountOutUsd", "depositedAmount", "depositedAmountUsd", "missingAmount", "refundedAmount"] as const),
  ...(["refundedAmountUsd", "refundReason", "refundFee", "withdrawFee", "slippage", "stalled"] as const),
  ...(["needsReview", "updatedAt", "progressedAt", "lastCheckedAt"] as const),
]
const DOCUMENTS = ["originTxs", "destinationTxs", "intentHashes", "nearTxHashes"] as const

/** The queue that `bridge_swaps` is; its version fences claims, and whatever else changes a swap raises it. */
export const swapQueue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const records = yield* BridgeRecords
  const outcomes = yield* BridgeOutcomes
  const nowDate = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))
  const queue = yield* leasedQueue({
    ...{ table: "bridge_swaps", key: { id: "uuid" }, fence: "version" },
    ...{ lease: "lease_until", leaseMillis: LEASE_MILLIS },
  })
  const { isHeld, moment, release } = queue
  let turn = 0

  const claimWhere = (isPaid: boolean, order: "asc" | "desc", limit: number) =>
    limit <= 0
      ? Effect.succeed([])
      : Effect.flatMap(moment, ({ now }) =>
          queue.claim<ClaimedSwap>(
            () => sql`
              select id from bridge_swaps
              where deposit_shown = ${isPaid}::boolean and next_poll_at <= ${now}
                and (lease_until is null or lease_until <= ${now})
              order by next_poll_at ${sql.literal(order)} limit ${limit}`,
            sql`${sql.literal(SWAP_COLUMNS)}, array(
                select d.tx_hash from bridge_deposits d where d.swap_id = s.id and d.delivered_at is not null
                order by d.reported_at, d.tx_hash) as deposit_hashes, (
                select jsonb_build_object('txHash', d.tx_hash, 'nearSenderAccount', d.near_sender_account,
                  'reportedAt', d.reported_at)
                from bridge_deposits d where d.swap_id = s.id and d.next_attempt_at <= ${now}
                order by d.attempts, d.reported_at desc, d.tx_hash limit 1) as report`,
          ),
        )

  /**
   * Up to `limit` due swaps. Anyone can make any number of quotes and reports, so paid swaps are first, except at two turns of
   * eight; and of the others every second turn takes those that became due last, as one does that a user has just paid.
   */
  const claim = Effect.fnUntraced(function* (limit: number) {
    turn = (turn + 1) % 8
    const isPaidFirst = turn !== 3 && turn !== 6
    const first = yield* claimWhere(isPaidFirst, isPaidFirst || turn === 3 ? "asc" : "desc", limit)
    const order = !isPaidFirst || turn % 2 === 0 ? "asc" : "desc"
    return [...first, ...(yield* claimWhere(!isPaidFirst, order, limit - first.length))]
  })

  /** Writes what a poll gave. `false`: the swap has changed meanwhile, and nothing was written. */
  const settle = Effect.fnUntraced(function* (
    claimed: ClaimedSwap,
    { isChanged, nextPollMillis, row }: PollResult,
    answer: { readonly raw?: string | undefined; readonly detail?: string | undefined },
  ) {
    const { after } = yield* moment
    const now = yield* nowDate
    const event = isChanged ? sql`events = ${withEvent(sql, row, { at: now, type: "changed", ...answer })},` : sql``
    const json = (value: unknown) => sql`${JSON.stringify(value)}::text::jsonb`
    const written = yield* sql`
      update bridge_swaps
      set ${event} ${sql.csv(WRITTEN.map((name) => sql`${sql(name)} = ${row[name]}`))},
        ${sql.csv(DOCUMENTS.map((name) => sql`${sql(name)} = ${json(row[name])}`))},
        next_poll_at = ${nextPollMillis === null ? null : after(nextPollMillis)}, lease_until = null, attempts = 0,
        version = version + 1
      where ${isHeld(claimed)} returning id`
    if (written.length === 0) return false
    yield* records.follow(row, now)
    if (isNewOutcome(claimed, row)) yield* outcomes.add({ type: "bridge", ...pickOutcome(row) }, now)
    return true
  }, sql.withTransaction)

  /**
   * A poll without a usable answer: the swap is unchanged and polled later. An `unreadable` answer after others needs review, and
   * is stored then. `true`: this is that one.
   */
  const postpone = Effect.fnUntraced(function* (
    claimed: ClaimedSwap,
    millis: number,
    unreadable?: { readonly detail: string; readonly raw: string | undefined },
  ) {
    const now = yield* nowDate
    const needsReview = unreadable !== undefined && claimed.attempts + 1 >= UNREADABLE_MAX && !claimed.needsReview
    const review = needsReview
      ? sql`, needs_review = true, updated_at = ${now},
          events = ${withEvent(sql, claimed, { at: now, type: "answer_unreadable", ...unreadable })}`
      : sql``
    const written = yield* sql`
      update bridge_swaps
      set attempts = attempts + 1, next_poll_at = ${(yield* moment).after(millis)}, lease_until = null,
        version = version + 1 ${review}
      where ${isHeld(claimed)} returning id`
    return needsReview && written.length > 0
  })

  /**
   * The claimed report was submitted: gives the claim with its new version, or none where the swap has changed meanwhile. What an
   * accepted report says of the swap, the poll that follows says.
   */
  const noteReport = Effect.fnUntraced(function* (claimed: ClaimedSwap, answer: ReportAnswer) {
    const { reportedAt, txHash } = claimed.report!
    const now = yield* nowDate
    const isRefused = "refused" in answer && now.getTime() - Date.parse(reportedAt) >= REFUSED_MILLIS_MAX
    const event =
      "accepted" in answer
        ? ({ at: now, type: "deposit_delivered", detail: txHash, raw: answer.accepted } as const)
        : isRefused && ({ at: now, type: "deposit_refused", detail: `${txHash}: ${answer.refused}` } as const)
    const [held] = yield* sql<Pick<SwapRow, "version">>`
      update bridge_swaps
      set version = version + 1 ${event ? sql`, events = ${withEvent(sql, claimed, event)}` : sql``}
      where ${isHeld(claimed)} returning version`
    if (held === undefined) return undefined
    const next = { ...claimed, version: held.version }
    if ("accepted" in answer) {
      yield* sql`
        update bridge_deposits set delivered_at = ${now}, next_attempt_at = null, last_error = null
        where swap_id = ${claimed.id}::uuid and tx_hash = ${txHash}`
      yield* records.noteHash(claimed.id, txHash, claimed.status, now)
      return { ...next, depositHashes: [...claimed.depositHashes, txHash] }
    }
    const { after } = yield* moment
    yield* sql`
      update bridge_deposits set last_error = ${"refused" in answer ? answer.refused : answer.failed},
        attempts = attempts + 1, is_refused = ${isRefused}::boolean,
        next_attempt_at = case when not ${isRefused}::boolean
          then ${after(RETRY_MILLIS)} + (attempts * (attempts + 2)) * interval '10 seconds' end
      where swap_id = ${claimed.id}::uuid and tx_hash = ${txHash}`
    return isRefused ? { ...next, reported: claimed.depositHashes.length > 0 } : next
  }, sql.withTransaction)

  return { claim, release, settle, postpone, noteReport }
})
