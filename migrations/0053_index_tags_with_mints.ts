import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** The tokens of a tag with their mints, as `token_tags_newest`, which takes the place of `token_tags_recent` next; and the tags without mints. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  for (const index of ["token_tags_newest", "token_tags_without_mints"]) {
    // Created beforehand with `concurrently`, an index that failed is there, and not used.
    const failed = yield* sql`select from pg_index where indexrelid = to_regclass(${index}) and not indisvalid`
    if (failed.length > 0) yield* sql`drop index ${sql(index)}`
  }
  yield* sql`
    create index if not exists token_tags_newest on token_tags (tag, created_at desc, token_id desc)
      include (launchpad, active, mint_address, mint_number)`
  yield* sql`
    create index if not exists token_tags_without_mints on token_tags (token_id) where mint_address is null`
})
