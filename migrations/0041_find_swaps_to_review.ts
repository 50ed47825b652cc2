import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Few swaps need a person; operators list these. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create index bridge_swaps_review on bridge_swaps (created_at desc, id desc) where needs_review`
})
