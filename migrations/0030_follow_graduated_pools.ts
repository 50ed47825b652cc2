import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Where a trade happened: on the curve, or on the AMM pool that it migrated to. A version that does not know the column inserts trades on
 * curves alone.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Neither rows are written nor is the table read: a constraint on the values would be checked for every row, while nobody else reads.
  yield* sql`alter table trades add column if not exists venue text collate "C" not null default 'dbc'`
})
