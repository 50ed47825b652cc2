import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** How a transaction record ends: until when it can land, and why it failed. And in which units its amounts are. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    alter table transactions
      add column last_valid_block_height numeric(20)
        check (last_valid_block_height between 0 and 18446744073709551615),
      add column status_reason text check (char_length(status_reason) <= 300),
      add column amount_in_decimals smallint not null default 0 check (amount_in_decimals between 0 and 255),
      add column amount_out_decimals smallint not null default 0 check (amount_out_decimals between 0 and 255),
      add column fee_decimals smallint not null default 0 check (fee_decimals between 0 and 255)`

  // A BRIDGE record has the id of its swap. Its fee is a part of what is sent.
  yield* sql`
    update transactions t
    set amount_in_decimals = s.origin_decimals, amount_out_decimals = s.destination_decimals,
      fee_decimals = s.origin_decimals
    from bridge_swaps s
    where t.id = s.id and t.action = 'BRIDGE'`

  // What the chain is asked about every few seconds. However many records have ended, they are not in it.
  yield* sql`
    create index transactions_unsettled on transactions (created_at desc, id desc)
    where status = 'pending' and chain = 'solana' and action <> 'BRIDGE' and deleted_at is null`
})
