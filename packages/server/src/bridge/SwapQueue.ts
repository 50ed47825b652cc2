import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { bridgeRecords } from "./BridgeRecords.ts"
import { swapEvents } from "./SwapEvents.ts"
import { SWAP_COLUMNS, type SwapRow } from "./SwapRow.ts"

/** Whoever looks at a swap has this long before somebody else does; a request is given up sooner. */
const LEASE_MILLIS = 30_000
/** The swap service is told of a reported transfer first. */
const LOOK_AFTER_REPORT_MILLIS = 3_000

/** A swap that this process may look at. */
export interface ClaimedSwap extends SwapRow {
  /** Transfers that callers reported, oldest first. */
  readonly depositHashes: ReadonlyArray<string>
}

/** What a look at a swap gave: the row as it is from now on, and whether that is anything new. */
export interface Settlement {
  readonly row: Omit<SwapRow, "version">
  readonly isChanged: boolean
  /** The answer of the swap service. */
  readonly raw?: string
}

/**
 * The queue that `bridge_swaps` is. A claim is a time and a version: a process that dies leaves what it claimed to others
 * when the time is over, and one that comes back late finds another version and writes nothing. No transaction is open
 * while the swap service is asked.
 */
export const swapQueue = (sql: SqlClient) => {
  const records = bridgeRecords(sql)
  const events = swapEvents(sql)
  const nowDate = Effect.map(Clock.currentTimeMillis, (millis) => new Date(millis))

  const countDue = Effect.fnUntraced(function* (limit: number) {
    const now = yield* nowDate
    const [row] = yield* sql<{ readonly due: bigint }>`
      select count(*) as due from (
        select from bridge_swaps where next_poll_at <= ${now} and (lease_until is null or lease_until <= ${now})
        limit ${limit}) due`
    return Number(row!.due)
  })

  const claim = Effect.fnUntraced(function* (limit: number) {
    const now = yield* nowDate
    return yield* sql<ClaimedSwap>`
      update bridge_swaps s set lease_until = ${new Date(now.getTime() + LEASE_MILLIS)}, version = s.version + 1
      where s.id in (
        select id from bridge_swaps
        where next_poll_at <= ${now} and (lease_until is null or lease_until <= ${now})
        order by next_poll_at limit ${limit} for update skip locked)
      returning ${sql.literal(SWAP_COLUMNS)}, array(
        select d.tx_hash from bridge_deposits d where d.swap_id = s.id order by d.reported_at, d.tx_hash) as deposit_hashes`
  })

  /** Writes what a look gave. `false`: the swap has changed meanwhile, and nothing was written. */
  const settle = (claimed: ClaimedSwap, { isChanged, raw, row }: Settlement) =>
    Effect.gen(function* () {
      const [written] = yield* sql<{ readonly version: number }>`
        update bridge_swaps
        set status = ${row.status}, substatus = ${row.substatus}, upstream_status = ${row.upstreamStatus},
          amount_in = ${row.amountIn}::numeric, amount_out = ${row.amountOut}::numeric,
          deposited_amount = ${row.depositedAmount}::numeric, missing_amount = ${row.missingAmount}::numeric,
          refunded_amount = ${row.refundedAmount}::numeric, refund_reason = ${row.refundReason},
          origin_txs = ${JSON.stringify(row.originTxs)}::text::jsonb,
          destination_txs = ${JSON.stringify(row.destinationTxs)}::text::jsonb,
          stalled = ${row.stalled}, needs_review = ${row.needsReview}, updated_at = ${row.updatedAt},
          progressed_at = ${row.progressedAt}, last_checked_at = ${row.lastCheckedAt}, next_poll_at = ${row.nextPollAt},
          lease_until = null, attempts = 0, version = version + 1
        where id = ${claimed.id}::uuid and version = ${claimed.version}
        returning version`
      if (written === undefined) return false
      const now = yield* nowDate
      if (isChanged) {
        const event = { at: now, type: "changed" as const, ...(raw && { raw }) }
        yield* events.add({ ...row, version: written.version }, event)
      }
      yield* records.follow(row, now)
      return true
    }).pipe(sql.withTransaction)

  /** Nobody answered: the swap stays as it is, and is looked at later. */
  const postpone = (claimed: ClaimedSwap, nextPollAt: Date) => sql`
    update bridge_swaps
    set attempts = attempts + 1, next_poll_at = ${nextPollAt}, lease_until = null, version = version + 1
    where id = ${claimed.id}::uuid and version = ${claimed.version}`

  /**
   * A caller reported a transfer, in the transaction that keeps the report: nothing is concluded from the clock any more, what
   * had expired is open again, and a look that is under way says nothing, since it did not know.
   */
  const noteDeposit = Effect.fnUntraced(function* (id: string, txHash: string) {
    const now = yield* nowDate
    const [row] = yield* sql<SwapRow>`
      update bridge_swaps s
      set version = version + 1, lease_until = null, updated_at = ${now}, progressed_at = ${now}, stalled = false,
        status = case when substatus = 'expired' then 'pending' else status end,
        substatus = case when substatus in ('awaiting_deposit', 'expired') then 'deposit_seen' else substatus end,
        next_poll_at = case when substatus in ('delivered', 'refunded') then next_poll_at
          else ${new Date(now.getTime() + LOOK_AFTER_REPORT_MILLIS)}::timestamptz end
      where s.id = ${id}::uuid returning ${sql.literal(SWAP_COLUMNS)}`
    yield* events.add(row!, { at: now, type: "deposit_reported", detail: txHash })
    yield* records.noteHash(id, txHash, row!.status, now)
  })

  /** The swap service was told of a transfer: what it makes of it is seen at once. */
  const noteDelivery = Effect.fnUntraced(function* (
    id: string,
    { detail, raw, type }: { readonly type: "deposit_delivered" | "deposit_refused"; detail: string; raw?: string },
  ) {
    const now = yield* nowDate
    const [row] = yield* sql<SwapRow>`
      update bridge_swaps s
      set version = version + 1, lease_until = null,
        next_poll_at = case when next_poll_at is null then null else ${now}::timestamptz end
      where s.id = ${id}::uuid returning ${sql.literal(SWAP_COLUMNS)}`
    yield* events.add(row!, { at: now, type, detail, ...(raw && { raw }) })
  })

  return { countDue, claim, settle, postpone, noteDeposit, noteDelivery }
}
