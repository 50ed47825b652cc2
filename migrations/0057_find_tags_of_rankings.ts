import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The same of the tokens of a tag. In a transaction of its own, so that no lock of one table is held while the index of another is built. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  // Created beforehand with `concurrently`, an index that failed is there, and not used.
  const failed = yield* sql`
    select from pg_index where indexrelid = to_regclass('token_tags_hashed') and not indisvalid`
  if (failed.length > 0) yield* sql`drop index token_tags_hashed`
  yield* sql`
    create index if not exists token_tags_hashed
      on token_tags (hashtextextended(tag, 0), hashtextextended(mint_address, 0))`
})
