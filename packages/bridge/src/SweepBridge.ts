import { BridgeRecords } from "@launch-registry/domain/bridge/BridgeRecords"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Rows per sweep, so that locks are short. */
const BATCH = 200
/**
 * An unpaid swap is removed this long after its address became inactive: polling ends after 7 days, and its caller can read it
 * for another week.
 */
const ABANDONED_MILLIS = 14 * 86_400_000

/**
 * Removes quotes without a deposit, shown or reported, after the end of polling, with what happened to them; their records are deleted as
 * users delete them. Any number of processes may sweep. Returns how many swaps were removed.
 */
export const sweepBridge = Effect.gen(function* () {
  const sql = yield* SqlClient
  const records = yield* BridgeRecords
  return Effect.gen(function* () {
    const now = new Date(yield* Clock.currentTimeMillis)
    const swaps = yield* sql<{ readonly id: string }>`
      select id from bridge_swaps s
      where next_poll_at is null and not deposit_shown and substatus = 'expired' and origin_txs = '[]'
        and inactive_at < ${new Date(now.getTime() - ABANDONED_MILLIS)}
        and not exists (select from bridge_deposits d where d.swap_id = s.id)
      order by inactive_at limit ${BATCH} for update skip locked`
    const ids = swaps.map(({ id }) => id)
    if (ids.length === 0) return 0
    yield* sql`delete from bridge_swaps where id = any(${ids}::uuid[])`
    yield* records.remove(ids, now)
    return ids.length
  }).pipe(sql.withTransaction, Effect.orDie, Effect.withSpan("sweepBridge"))
})
