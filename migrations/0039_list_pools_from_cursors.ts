import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The lowest signature that was listed for a proven range of a migrated pool: a listing of the slots below it begins there. Null
 * where nothing was listed, or by an earlier version.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table pool_coverage add column first_signature text collate "C"`
})
