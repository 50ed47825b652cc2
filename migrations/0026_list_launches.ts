import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What lists say of the curve of a token. What a configuration says is on chain and never changes: the server reads it once.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table launch_curves (
      config text collate "C" primary key,
      base_decimals smallint not null,
      quote_decimals smallint not null,
      supply numeric not null,
      migration_quote_threshold numeric not null,
      start_sqrt_price numeric not null
    )`
})
