import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Derived tables whose content does not depend on the order in which the chain was received: trades and events are facts
 * with their place in the chain, all others are folds of them. What was derived before is derived again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  for (const table of ["substreams_history", "trades", "dbc_pools", "dbc_configs", "cursors"])
    yield* sql`drop table ${sql(table)}`

  yield* sql`
    create table cursors (
      id text primary key,
      log_offset bigint not null,
      slot bigint not null
    )`

  // ordinal: slot << 32 | transaction << 14 | instruction << 7 | inner instruction + 1. Amounts in smallest units.
  yield* sql`
    create table trades (
      ordinal bigint not null,
      signature text collate "C" not null,
      pool text collate "C" not null,
      base_mint text collate "C" not null,
      quote_mint text collate "C" not null,
      trader text collate "C" not null,
      side text collate "C" not null check (side in ('BUY', 'SELL')),
      base_amount numeric not null,
      quote_amount numeric not null,
      fee numeric not null,
      next_sqrt_price numeric not null,
      quote_reserve numeric,
      block_time timestamptz(0) not null,
      primary key (ordinal, signature)
    )`
  yield* sql`create index trades_base_mint on trades (base_mint, ordinal)`
  // Trades come nearly in the order of time: a few pages of summary instead of an entry a trade.
  yield* sql`create index trades_block_time on trades using brin (block_time) with (pages_per_range = 32, autosummarize = on)`

  yield* sql`
    create table dbc_events (
      ordinal bigint not null,
      signature text collate "C" not null,
      type text collate "C" not null,
      pool text collate "C",
      config text collate "C",
      facts jsonb not null,
      block_time timestamptz(0) not null,
      primary key (ordinal, signature, type)
    )`
  yield* sql`create index dbc_events_pool on dbc_events (pool, ordinal)`
  yield* sql`create index dbc_events_config on dbc_events (config, ordinal) where type = 'ConfigCreated'`

  yield* sql`
    create table dbc_configs (
      config text collate "C" primary key,
      quote_mint text collate "C" not null,
      fee_claimer text collate "C" not null,
      leftover_receiver text collate "C" not null,
      token_decimal smallint,
      created_slot bigint not null
    )`

  yield* sql`
    create table dbc_pools (
      pool text collate "C" primary key,
      base_mint text collate "C" not null,
      quote_mint text collate "C" not null,
      config text collate "C" not null,
      creator text collate "C" not null,
      name text not null,
      symbol text not null,
      uri text not null,
      pool_type smallint not null,
      activation_point numeric not null,
      decimals smallint,
      supply numeric,
      created_slot bigint not null,
      created_at timestamptz(0) not null,
      metadata text collate "C",
      completed_slot bigint,
      completed_at timestamptz(0),
      migrated_slot bigint,
      migrated_at timestamptz(0),
      migrated_pool text collate "C"
    )`
  yield* sql`create index dbc_pools_base_mint on dbc_pools (base_mint)`
  yield* sql`create index dbc_pools_config on dbc_pools (config)`

  // seconds 60 and 3600: candles; 0: everything since the first trade. Prices as sqrt price (Q64.64), exact.
  yield* sql`
    create table candles (
      base_mint text collate "C" not null,
      seconds integer not null,
      bucket timestamptz(0) not null,
      first_ordinal bigint not null,
      last_ordinal bigint not null,
      open numeric not null,
      high numeric not null,
      low numeric not null,
      close numeric not null,
      base_volume numeric not null,
      quote_volume numeric not null,
      trades bigint not null,
      primary key (base_mint, seconds, bucket)
    )`

  // Distinct traders and volume over a window that ends now. A view that ages, so no part of what a replay compares.
  yield* sql`
    create table trading_windows (
      span text collate "C" not null,
      base_mint text collate "C" not null,
      traders bigint not null,
      trades bigint not null,
      quote_volume numeric not null,
      primary key (span, base_mint)
    )`

  // What each commit changed, for those who follow along: one row a commit, numbered without a gap.
  yield* sql`
    create table index_changes (
      id bigint primary key,
      changes text not null,
      committed_at timestamptz(3) not null
    )`
  yield* sql`create index index_changes_committed_at on index_changes (committed_at)`
})
