import { Clock, Effect, Random } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { BridgeRecords } from "@launch-registry/domain/transactions/BridgeRecords"
import { BridgeOutcomes } from "@launch-registry/domain/notifications/BridgeOutcomes"
import { leasedQueue } from "@launch-registry/postgres/LeasedQueue"
import type { PollLane } from "./intents/PollSchedule.ts"
import { swapEvents } from "./SwapEvents.ts"
import { isNewOutcome, outcomeOf } from "./SwapNotice.ts"
import { SWAP_COLUMNS, type SwapRow } from "./SwapRow.ts"

/** Longer than the deadline of a request. */
const LEASE_MILLIS = 30_000
/** Share of all polls for swaps whose deposit the swap service has not shown: anyone can create any number of them. */
const OTHERS_SHARE = 0.25
/**
 * Of those polls, for the swaps that became due last: in a flood, a user who has just paid does not queue behind all of it.
 */
const NEWEST_SHARE = 0.5
/** Unreadable answers in a row after which a swap needs review. */
const UNREADABLE_MAX = 3
/** Leaves time to submit the deposit first. */
const LOOK_AFTER_REPORT_MILLIS = 3_000

/** A swap that this process has claimed for a poll. */
export interface ClaimedSwap extends SwapRow {
  /** Reported deposits that the swap service accepted, oldest first. */
  readonly depositHashes: ReadonlyArray<string>
  readonly leasedUntil: Date
}

/** What a poll gave: the new row, and whether it differs. */
export interface Settlement {
  readonly row: Omit<SwapRow, "version" | "nextPollAt">
  /** Milliseconds to the next poll; null when there is none. */
  readonly nextPollMillis: number | null
  readonly isChanged: boolean
  /** The answer of the swap service. */
  readonly raw?: string
  /** The unreadable parts, in words. */
  readonly detail?: string
}

/** The queue that `bridge_swaps` is; its version fences claims, and whatever else changes a swap raises it. */
export const swapQueue = Effect.gen(function* () {
  const sql = yield* SqlClient
  const records = yield* BridgeRecords
  const outcomes = yield* BridgeOutcomes
  const events = swapEvents(sql)
  const nowDate = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

  const {
    claim: claimRows,
    isHeld,
    moment,
    release,
  } = yield* leasedQueue({
    ...{ table: "bridge_swaps", key: { id: "uuid" }, fence: "version" },
    ...{ lease: "lease_until", leaseMillis: LEASE_MILLIS },
  })
  const returning = sql`${sql.literal(SWAP_COLUMNS)}, array(
    select d.tx_hash from bridge_deposits d where d.swap_id = s.id and d.delivered_at is not null
    order by d.reported_at, d.tx_hash) as deposit_hashes`

  const isDue = (now: Fragment) => sql`next_poll_at <= ${now} and (lease_until is null or lease_until <= ${now})`

  /** Up to `limit` of each kind. Ordered as the index is, so that the planner uses it however many are due. */
  const countDue = Effect.fnUntraced(function* (limit: number) {
    const { now } = yield* moment
    const [row] = yield* sql<{ readonly paid: bigint; readonly unpaid: bigint }>`
      select count(*) filter (where due.lane < 2) as paid, count(*) filter (where due.lane = 2) as unpaid
      from unnest(array[0, 1, 2]::smallint[]) as lanes (lane) cross join lateral (
        select s.lane from bridge_swaps s
        where s.lane = lanes.lane and ${isDue(now)} order by next_poll_at
        limit ${limit}) due`
    return { paid: Math.min(limit, Number(row!.paid)), unpaid: Math.min(limit, Number(row!.unpaid)) }
  })

  const claimInOrder = (lane: PollLane, order: "asc" | "desc", limit: number) =>
    limit <= 0
      ? Effect.succeed([])
      : claimRows<ClaimedSwap>(
          ({ now }) => sql`
            select id from bridge_swaps where lane = ${lane}::smallint and ${isDue(now)}
            order by next_poll_at ${sql.literal(order)} limit ${limit}`,
          returning,
        )

  const claimOf = Effect.fnUntraced(function* (lane: PollLane, limit: number) {
    const newest = lane === 0 || limit <= 0 ? 0 : Math.floor(limit * NEWEST_SHARE + (yield* Random.next))
    const claimed = yield* claimInOrder(lane, "desc", newest)
    return [...claimed, ...(yield* claimInOrder(lane, "asc", limit - claimed.length))]
  })

  /**
   * Paid swaps first, with a share reserved for the other lanes. What one lane does not use goes to the others; unpaid swaps get
   * at most `unpaidMax`.
   */
  const claim = Effect.fnUntraced(function* (limit: number, unpaidMax: number) {
    const others = Math.floor(limit * OTHERS_SHARE + (yield* Random.next))
    const unpaid = Math.min(unpaidMax, Math.floor(others / 2 + (yield* Random.next)))
    const claimed = [
      ...(yield* claimOf(0, limit - others)),
      ...(yield* claimOf(1, others - unpaid)),
      ...(yield* claimOf(2, unpaid)),
    ]
    for (const lane of [0, 1] as const) claimed.push(...(yield* claimOf(lane, limit - claimed.length)))
    const unpaidLeft = unpaidMax - claimed.filter(({ lane }) => lane === 2).length
    claimed.push(...(yield* claimOf(2, Math.min(unpaidLeft, limit - claimed.length))))
    return claimed
  })

  /** Writes what a poll gave. `false`: the swap has changed meanwhile, and nothing was written. */
  const settle = (claimed: ClaimedSwap, { detail, isChanged, nextPollMillis, raw, row }: Settlement) =>
    Effect.gen(function* () {
      const { after } = yield* moment
      const [written] = yield* sql<{ readonly version: number }>`
        update bridge_swaps
        set status = ${row.status}, substatus = ${row.substatus}, upstream_status = ${row.upstreamStatus},
          deposit_shown = ${row.depositShown}, amount_in = ${row.amountIn}::numeric, amount_out = ${row.amountOut}::numeric,
          deposited_amount = ${row.depositedAmount}::numeric, missing_amount = ${row.missingAmount}::numeric,
          refunded_amount = ${row.refundedAmount}::numeric, refund_reason = ${row.refundReason},
          amount_in_usd = ${row.amountInUsd}, amount_out_usd = ${row.amountOutUsd},
          deposited_amount_usd = ${row.depositedAmountUsd}, refunded_amount_usd = ${row.refundedAmountUsd},
          slippage = ${row.slippage}::float8, refund_fee = ${row.refundFee}::numeric,
          withdraw_fee = ${row.withdrawFee}::numeric,
          intent_hashes = ${JSON.stringify(row.intentHashes)}::text::jsonb,
          near_tx_hashes = ${JSON.stringify(row.nearTxHashes)}::text::jsonb,
          origin_txs = ${JSON.stringify(row.originTxs)}::text::jsonb,
          destination_txs = ${JSON.stringify(row.destinationTxs)}::text::jsonb,
          stalled = ${row.stalled}, needs_review = ${row.needsReview}, updated_at = ${row.updatedAt},
          progressed_at = ${row.progressedAt}, last_checked_at = ${row.lastCheckedAt}, lane = ${row.lane},
          next_poll_at = ${nextPollMillis === null ? null : after(nextPollMillis)}, lease_until = null, attempts = 0,
          unreadable_answers = 0, version = version + 1
        where ${isHeld(claimed)}
        returning version`
      if (written === undefined) return false
      const now = yield* nowDate
      if (isChanged) {
        const event = { at: now, type: "changed" as const, ...(raw && { raw }), ...(detail && { detail }) }
        yield* events.add({ ...row, version: written.version }, event)
      }
      yield* records.follow(row, now)
      if (isNewOutcome(claimed, row)) yield* outcomes.add(outcomeOf(row), now)
      return true
    }).pipe(sql.withTransaction)

  /** No answer: the swap is unchanged and polled later. */
  const postpone = (claimed: ClaimedSwap, millis: number) =>
    Effect.flatMap(
      moment,
      ({ after }) => sql`
        update bridge_swaps
        set attempts = attempts + 1, next_poll_at = ${after(millis)}, lease_until = null, version = version + 1
        where ${isHeld(claimed)}`,
    )

  /**
   * An unreadable answer: the swap is unchanged. The third in a row is stored, and the swap needs review. `true`: this is the
   * third.
   */
  const noteUnreadable = Effect.fnUntraced(function* (
    claimed: ClaimedSwap,
    nextPollMillis: number,
    { detail, raw }: { readonly detail: string; readonly raw: string | undefined },
  ) {
    const now = yield* nowDate
    const { after } = yield* moment
    const [row] = yield* sql<SwapRow>`
      update bridge_swaps s
      set attempts = attempts + 1, unreadable_answers = unreadable_answers + 1, next_poll_at = ${after(nextPollMillis)},
        needs_review = needs_review or unreadable_answers + 1 >= ${UNREADABLE_MAX}::integer,
        updated_at = case when unreadable_answers + 1 = ${UNREADABLE_MAX}::integer then ${now}::timestamptz else updated_at end,
        lease_until = null, version = version + 1
      where ${isHeld(claimed)} returning ${sql.literal(SWAP_COLUMNS)}`
    if (row?.unreadableAnswers !== UNREADABLE_MAX) return false
    const text = raw?.replaceAll("\u0000", "").toWellFormed()
    yield* events.add(row, { at: now, type: "answer_unreadable", detail, ...(text && { raw: text }) })
    return true
  }, sql.withTransaction)

  /**
   * A caller reported a deposit, in the transaction that stores the report. Anybody may, so the swap's status is unchanged: the
   * next poll comes soon, and one in flight is fenced off, since it did not know.
   */
  const noteDeposit = Effect.fnUntraced(function* (id: string, txHash: string) {
    const now = yield* nowDate
    const { after } = yield* moment
    const [row] = yield* sql<SwapRow>`
      update bridge_swaps s
      set version = version + 1, lease_until = null, lane = least(lane, 1),
        next_poll_at = least(next_poll_at, ${after(LOOK_AFTER_REPORT_MILLIS)})
      where s.id = ${id}::uuid returning ${sql.literal(SWAP_COLUMNS)}`
    yield* events.add(row!, { at: now, type: "deposit_reported", detail: txHash })
  })

  /**
   * A deposit was submitted to the swap service: the swap is polled at once. After one that it accepted nothing is concluded
   * from the clock any more, and an expired swap is pending again.
   */
  const noteDelivery = Effect.fnUntraced(function* (
    id: string,
    {
      raw,
      reason,
      txHash,
      type,
    }: { type: "deposit_delivered" | "deposit_refused"; txHash: string; reason?: string; raw?: string },
  ) {
    const now = yield* nowDate
    const due = (yield* moment).now
    const isTaken = type === "deposit_delivered"
    const opens = sql`${isTaken}::boolean and substatus in ('awaiting_deposit', 'expired')`
    const [row] = yield* sql<SwapRow>`
      update bridge_swaps s
      set version = version + 1, lease_until = null,
        status = case when ${opens} then 'pending' else status end,
        substatus = case when ${opens} then 'deposit_seen' else substatus end,
        progressed_at = case when ${opens} then ${now}::timestamptz else progressed_at end,
        updated_at = case when ${opens} then ${now}::timestamptz else updated_at end,
        next_poll_at = case when next_poll_at is null and not (${opens}) then null else ${due} end
      where s.id = ${id}::uuid returning ${sql.literal(SWAP_COLUMNS)}`
    const detail = reason === undefined ? txHash : `${txHash}: ${reason}`
    yield* events.add(row!, { at: now, type, detail, ...(raw && { raw }) })
    if (isTaken) yield* records.noteHash(id, txHash, row!.status, now)
  })

  return { countDue, claim, release, settle, postpone, noteUnreadable, noteDeposit, noteDelivery }
})
