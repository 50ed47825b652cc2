import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Migrated pools are followed and proven by their addresses. `pool_coverage` has for each pool what `coverage` has for the program;
 * `followed_pools` has which pools are followed, from which slot on, and when each is next compared with the chain.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  yield* sql`
    create table pool_coverage (
      pool text collate "C" not null,
      from_slot bigint not null,
      to_slot bigint not null,
      proven_by text not null,
      proven_at timestamptz(3) not null,
      log_offset bigint not null,
      primary key (pool, from_slot),
      check (from_slot <= to_slot)
    )`

  // venue: null for a pool of a program whose trades are not derived; it is not followed. active_slot: of its newest known
  // transaction. failures: comparisons that were not complete, since the last one that was. retry_at: when
  // what could not be proven is tried again.
  yield* sql`
    create table followed_pools (
      pool text collate "C" primary key,
      venue text collate "C",
      from_slot bigint not null,
      active_slot bigint not null,
      followed_at timestamptz(3) not null,
      proven_at timestamptz(3),
      due_at timestamptz(3) not null,
      failures integer not null default 0,
      retry_at timestamptz(3)
    )`
  yield* sql`create index followed_pools_due on followed_pools (due_at) where venue is not null`
  yield* sql`create index followed_pools_active on followed_pools (active_slot desc) where venue is not null`
  yield* sql`create index followed_pools_newest on followed_pools (followed_at) where venue is not null`

  yield* sql`
    create index if not exists dbc_pools_migrated on dbc_pools (migrated_pool, migrated_slot)
    where migrated_pool is not null`
  yield* sql`create index if not exists trades_of_migrated_pools on trades (pool, ordinal) where venue = 'damm_v2'`
})
