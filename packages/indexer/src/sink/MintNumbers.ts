import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/**
 * SQL of `mint_numbers`: a number of each mint that was launched or traded, about in the order of the launches. Windows of tokens of one time
 * have numbers close together, so an index by number has them on a few pages, where one by mint has each on another. Launches are numbered here,
 * traded or not; a trigger numbers what is traded without a known launch. A number never changes and is never deleted: `tokens` has it, too.
 */
export const mintNumbers = (sql: SqlClient) => ({
  /** Numbers all launches. */
  numberAll: sql`
    insert into mint_numbers (base_mint)
    select p.base_mint from (select base_mint, min(created_slot) as created_slot from dbc_pools group by base_mint) p
    where not exists (select from mint_numbers n where n.base_mint = p.base_mint)
    order by p.created_slot, p.base_mint
    on conflict (base_mint) do nothing`,

  /** Numbers the launches that were received after one offset of the log and up to another. Each is looked up: joins would read whole tables. */
  numberReceived: (after: bigint, upTo: bigint) =>
    Effect.andThen(
      sql`select set_config('enable_seqscan', 'off', true)`,
      sql`
        insert into mint_numbers (base_mint)
        select p.base_mint from (
          select distinct slot from inbox_transactions where log_offset > ${after} and log_offset <= ${upTo}
        ) s
        cross join lateral (
          select ordinal, pool from dbc_events
          where ordinal >= s.slot << 32 and ordinal < (s.slot + 1) << 32 and type = 'PoolCreated' offset 0
        ) e
        cross join lateral (select base_mint from dbc_pools where pool = e.pool offset 0) p
        where not exists (select from mint_numbers n where n.base_mint = p.base_mint offset 0)
        order by e.ordinal
        on conflict (base_mint) do nothing`,
    ),
})
