import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Tags have the mints of their tokens and the numbers of these, so that what is ranked by tag needs no row of each token. Rows without a mint, which
 * processes of the previous version write, get it later (`tokens/FillTagMints`).
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    alter table token_tags
      add column if not exists mint_address text collate "C", add column if not exists mint_number bigint`
})
