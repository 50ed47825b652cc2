import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the chain is asked about every few seconds: pending records, and those whose status a client reported. Takes the place of `transactions_unsettled`
 * next, and serves its statements too.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  // Created beforehand with `concurrently`, an index that failed is there, and not used.
  const failed = yield* sql`
    select from pg_index where indexrelid = to_regclass('transactions_to_settle') and not indisvalid`
  if (failed.length > 0) yield* sql`drop index transactions_to_settle`
  yield* sql`
    create index if not exists transactions_to_settle on transactions (created_at desc, id desc)
    where (status = 'pending' or is_reported) and chain = 'solana' and action <> 'BRIDGE' and deleted_at is null`
})
