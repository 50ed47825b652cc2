import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How many wallets held a token when its holders were last read from the chain; where `is_whole` is false, at least so many. Written by the server. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table holder_counts (
      mint_address text collate "C" primary key,
      holders integer not null,
      is_whole boolean not null,
      counted_at timestamptz(3) not null
    )`
})
