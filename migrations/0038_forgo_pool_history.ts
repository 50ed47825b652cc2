import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Migrated pools whose early history no RPC endpoint has: an operator said that slots up to this one are not proven any more. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table followed_pools add column forgone_to_slot bigint not null default -1`
})
