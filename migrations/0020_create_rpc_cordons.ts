import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** RPC endpoints that operators have taken out of use, by their public name, with the reason. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table rpc_cordons (
      endpoint text primary key check (endpoint ~ '^(primary|backup|backup-[1-9][0-9]?)$'),
      reason text not null check (length(reason) between 1 and 200),
      created_at timestamptz(3) not null
    )`
})
