import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Ids of changes are never used again by a server that lacks the newest ones, such as a promoted standby: the first commit on another
 * server jumps ahead, and says which commit is before it. Null in both columns is of an earlier version, or before nothing that is kept.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    alter table index_changes
      add column after_id bigint,
      add column server_started_at timestamp with time zone`
  // Tokens are times, so the one before is not one less. Null is of an earlier version, which does not write it.
  yield* sql`alter table leases add column previous_token bigint`
})
