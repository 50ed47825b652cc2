import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Where a trade happened: on the curve, or on the AMM pool that it migrated to. A version that does not know the column inserts trades on
 * curves alone.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Rows that are there have the default. To check them would read the whole table while nobody else can.
  yield* sql`
    alter table trades
      add column venue text collate "C" not null default 'dbc',
      add constraint trades_venue_check check (venue in ('dbc', 'damm_v1', 'damm_v2')) not valid`
})
