import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Whether a mint was ever registered, deleted or not, is asked at each launch. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create index tokens_mint_ever on tokens (mint_address)`
})
