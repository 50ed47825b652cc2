import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Tokens that an operator has verified. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`alter table tokens add column verified boolean not null default false`
  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`
  yield* sql`
    create index if not exists tokens_verified on tokens (verified, created_at desc, id desc) where deleted_at is null`
})
