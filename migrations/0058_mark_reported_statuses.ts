import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Whether a client reported the status of a record, and the chain has not answered since. Records that ended before count as settled. With a constant
 * default no row is written.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table transactions add column if not exists is_reported boolean not null default false`
})
