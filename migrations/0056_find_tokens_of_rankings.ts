import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Which of thousands of mints of a ranking are active or ended tokens, in one pass over an index that is small because it has hashes of the mints.
 * No other index begins with this expression: one that began with `active` could be planned instead, and read all ended tokens.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  // Created beforehand with `concurrently`, an index that failed is there, and not used.
  const failed = yield* sql`select from pg_index where indexrelid = to_regclass('tokens_hashed') and not indisvalid`
  if (failed.length > 0) yield* sql`drop index tokens_hashed`
  yield* sql`
    create index if not exists tokens_hashed on tokens ((active::int), hashtextextended(mint_address, 0))
      where deleted_at is null`
})
