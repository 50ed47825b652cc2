import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Due reports that are ranked; there are more only in a flood. */
const CANDIDATES = 256
/** Refusals beyond this rank the same, as in the index. */
const REFUSALS_MAX = 8

/**
 * Which due deposits are submitted next, as `swap_id`, `tx_hash`, `turn` and `place`. Anybody may report any number of deposits
 * that were never made, so swaps take turns with one report each, and neither late nor refused reports delay others.
 */
export const depositPriority = (sql: SqlClient) => ({
  /** Never submitted: the newest of each swap, then the second newest. */
  newest: (now: Fragment) => sql`
    select swap_id, tx_hash, row_number() over (partition by swap_id order by reported_at desc, tx_hash) as turn,
      row_number() over (order by reported_at desc, tx_hash) as place
    from (
      select swap_id, tx_hash, reported_at from bridge_deposits
      where attempts = 0 and next_attempt_at is not null and next_attempt_at <= ${now}
      order by reported_at desc limit ${CANDIDATES}) new`,

  /** All that are due: the least refused first, then the longest waiting. */
  leastRefused: (now: Fragment) => sql`
    select swap_id, tx_hash, refused * ${CANDIDATES}::integer
        + row_number() over (partition by refused, swap_id order by next_attempt_at, tx_hash) as turn,
      row_number() over (order by next_attempt_at, tx_hash) as place
    from generate_series(0, ${REFUSALS_MAX}::integer) as refused cross join lateral (
      select swap_id, tx_hash, next_attempt_at from bridge_deposits
      where least(refusals, 8) = refused and next_attempt_at <= ${now}
      order by next_attempt_at limit ${CANDIDATES}) waiting`,
})
