import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The index with reported statuses takes the place of the one without. In a transaction of its own, so that nobody waits for the building of the index. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`drop index transactions_unsettled`
  yield* sql`alter index transactions_to_settle rename to transactions_unsettled`
})
