import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** EVM addresses of users are in lower case, as lists ask for them: their case is a checksum, and no part of them. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`select set_config('statement_timeout', '0', true), set_config('enable_seqscan', 'off', true)`
  // Found by the index of actions; hardly any other record is a swap of an EVM user.
  yield* sql`
    update transactions set user_address = lower(user_address)
    where action = 'BRIDGE' and deleted_at is null
      and user_address ~ '^0x[0-9a-fA-F]{40}$' and user_address <> lower(user_address)`
})
