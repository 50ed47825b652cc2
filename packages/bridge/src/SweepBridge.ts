import { BridgeRecords } from "@launch-registry/domain/transactions/BridgeRecords"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Rows of each kind per sweep, so that locks are short. */
const BATCH = 200
const DAY_MILLIS = 86_400_000
/**
 * An unpaid swap is removed this long after its address became inactive: polling ends after 7 days, and its caller can read it
 * for another week.
 */
const ABANDONED_MILLIS = 14 * DAY_MILLIS
/** How long a request without a swap is kept: a refused quote is evidence. */
const REQUEST_MILLIS = 7 * DAY_MILLIS

/**
 * Removes quotes without a deposit, shown or reported, after the end of polling, with their events and requests; their records
 * are deleted as users delete them. Any number of processes may sweep. Returns how many swaps and requests were removed.
 */
export const sweepBridge = Effect.gen(function* () {
  const sql = yield* SqlClient
  const records = yield* BridgeRecords
  const abandoned = Effect.fnUntraced(function* (now: Date) {
    const swaps = yield* sql<{ readonly id: string }>`
      select id from bridge_swaps s
      where next_poll_at is null and lane = 2 and substatus = 'expired' and origin_txs = '[]'
        and inactive_at < ${new Date(now.getTime() - ABANDONED_MILLIS)}
        and not exists (select from bridge_deposits d where d.swap_id = s.id)
      order by inactive_at limit ${BATCH} for update skip locked`
    if (swaps.length === 0) return 0
    const ids = swaps.map(({ id }) => id)
    yield* sql`delete from bridge_events where swap_id = any(${ids}::uuid[])`
    yield* sql`delete from bridge_swaps where id = any(${ids}::uuid[])`
    yield* sql`delete from bridge_requests where id = any(${ids}::uuid[])`
    yield* records.remove(ids, now)
    return ids.length
  }, sql.withTransaction)

  const requests = (now: Date) => sql`
    delete from bridge_requests where id in (
      select id from bridge_requests
      where state <> 'quoted' and updated_at < ${new Date(now.getTime() - REQUEST_MILLIS)}
      order by updated_at limit ${BATCH} for update skip locked)
    returning id`

  return Effect.gen(function* () {
    const now = new Date(yield* Clock.currentTimeMillis)
    const swaps = yield* abandoned(now)
    return swaps + (yield* requests(now)).length
  }).pipe(Effect.orDie, Effect.withSpan("sweepBridge"))
})
