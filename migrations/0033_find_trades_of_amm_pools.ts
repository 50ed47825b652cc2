import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Trades on the pools of every AMM that curves migrate to. It serves what looked for those of one of them, too. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  yield* sql`create index if not exists trades_of_amm_pools on trades (pool, ordinal) where venue <> 'dbc'`
  yield* sql`drop index if exists trades_of_migrated_pools`
})
