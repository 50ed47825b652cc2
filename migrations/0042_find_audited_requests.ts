import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** A user reports the id of a request, which the log of writes is searched for. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create index audit_log_request on audit_log (request_id)`
})
