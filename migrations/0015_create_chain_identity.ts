import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Which chain the index is of. The indexer writes the one row; slots and signatures of another chain do not belong beside it. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table chain_identity (
      id boolean primary key default true check (id),
      genesis_hash text collate "C" not null,
      network text not null,
      first_seen_at timestamptz(3) not null
    )`
})
