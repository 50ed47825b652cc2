import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Where a trade happened: on the curve, or on the AMM pool that it migrated to. A version that does not know the column inserts trades on
 * curves alone.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // No row is written, but checking reads the table, which may take longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`
  yield* sql`
    alter table trades add column venue text collate "C" not null default 'dbc'
      check (venue in ('dbc', 'damm_v1', 'damm_v2'))`
})
