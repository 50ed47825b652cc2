import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The index of tags with mints takes the place of the one without. In a transaction of its own, so that nobody waits for the building of the index. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`drop index token_tags_recent`
  yield* sql`alter index token_tags_newest rename to token_tags_recent`
})
