import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Reports that are looked through for those that are next; more than that are due only in a flood. */
const CANDIDATES = 256
/** From so many refusals on one more changes nothing: the index is made by the same rule. */
const REFUSALS_MAX = 8

/**
 * Which due reports of transfers are submitted next, as `swap_id`, `tx_hash`, `turn` and `place`. Anybody may report any number
 * of transfers that were never made. So swaps take turns, one report each; and a report is not behind others for having come
 * after them, nor for others having been refused.
 */
export const depositPriority = (sql: SqlClient) => ({
  /** Those that were never submitted: the newest of each swap, then the second newest. */
  newest: (now: Fragment) => sql`
    select swap_id, tx_hash, row_number() over (partition by swap_id order by reported_at desc, tx_hash) as turn,
      row_number() over (order by reported_at desc, tx_hash) as place
    from (
      select swap_id, tx_hash, reported_at from bridge_deposits
      where attempts = 0 and next_attempt_at is not null and next_attempt_at <= ${now}
      order by reported_at desc limit ${CANDIDATES}) new`,

  /** All that are due: those that were refused least, and of these the ones that have waited longest. */
  leastRefused: (now: Fragment) => sql`
    select swap_id, tx_hash, refused * ${CANDIDATES}::integer
        + row_number() over (partition by refused, swap_id order by next_attempt_at, tx_hash) as turn,
      row_number() over (order by next_attempt_at, tx_hash) as place
    from generate_series(0, ${REFUSALS_MAX}::integer) as refused cross join lateral (
      select swap_id, tx_hash, next_attempt_at from bridge_deposits
      where least(refusals, 8) = refused and next_attempt_at <= ${now}
      order by next_attempt_at limit ${CANDIDATES}) waiting`,
})
