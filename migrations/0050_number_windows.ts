import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Numbers what was launched or traded, in the order of the launches; mints whose launch is unknown are older than the index. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Millions of rows take longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  // First, or this and a process that moves the windows on would wait for each other. Reading goes on.
  yield* sql`lock table trading_windows in share row exclusive mode`
  yield* sql`
    insert into mint_numbers (base_mint)
    select m.base_mint from (select base_mint from trading_windows union select base_mint from dbc_pools) m
    left join (select base_mint, min(created_slot) as created_slot from dbc_pools group by base_mint) p using (base_mint)
    order by p.created_slot nulls first, m.base_mint
    on conflict (base_mint) do nothing`
  // Before the rows have numbers, or it would not be used while there are transactions that are older. Partial, or lookups by mint could be
  // planned by it; with `lower(span)`, which is `span`, or lookups by number could be planned by the primary key, and read a whole span.
  yield* sql`
    create index trading_windows_numbered on trading_windows (lower(span), mint_number) where mint_number is not null`
  yield* sql`
    update trading_windows w set mint_number = n.number from mint_numbers n
    where n.base_mint = w.base_mint and w.mint_number is null`
})
