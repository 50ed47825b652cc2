import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The last commit that the registry passed over in part, because the version that applied it could not read all of it; and when it last
 * started over from the tables, and with which commit.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    alter table registry_progress
      add column unread_id bigint, add column started_over_id bigint, add column started_over_at timestamptz`
})
