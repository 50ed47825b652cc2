import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Deployments that were built here: where the pool of a mint will be once its transaction has landed. The server writes it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // The same mint can be built for several configurations; the wallet decides which of them lands.
  yield* sql`
    create table launch_pools (
      base_mint text collate "C" not null,
      config_address text collate "C" not null,
      pool text collate "C" not null,
      created_at timestamptz(3) not null,
      primary key (base_mint, config_address)
    )`
})
