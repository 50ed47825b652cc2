import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Trades of a wallet: by a hash of its address, because the index of a text is more than twice as large. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`
  yield* sql`create index if not exists trades_trader on trades (hashtextextended(trader, 0), ordinal)`
  yield* sql`create index token_whitelist_recent on token_whitelist (whitelisted, updated_at desc, mint_address desc)`
})
