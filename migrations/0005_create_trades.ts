import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the indexer derives from the chain, and how far it has come. The indexer writes these tables; nothing in them
 * depends on when or in which order it ran.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table dbc_configs (
      config text collate "C" primary key,
      quote_mint text collate "C" not null,
      fee_claimer text collate "C" not null,
      leftover_receiver text collate "C" not null,
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
      created_slot bigint not null,
      completed_slot bigint,
      migrated_slot bigint,
      migrated_pool text collate "C"
    )`
  yield* sql`create index dbc_pools_base_mint on dbc_pools (base_mint)`

  yield* sql`
    create table trades (
      signature text collate "C" not null,
      instruction integer not null,
      inner_instruction integer not null,
      pool text collate "C" not null,
      base_mint text collate "C" not null,
      quote_mint text collate "C" not null,
      trader text collate "C" not null,
      side text not null check (side in ('BUY', 'SELL')),
      base_amount numeric not null,
      quote_amount numeric not null,
      fee numeric not null,
      next_sqrt_price numeric not null,
      slot bigint not null,
      block_time timestamptz(3) not null,
      primary key (signature, instruction, inner_instruction)
    )`
  yield* sql`create index trades_base_mint on trades (base_mint, block_time desc)`
  yield* sql`create index trades_block_time on trades (block_time)`
  yield* sql`create index trades_slot on trades (slot)`

  yield* sql`
    create table cursors (
      id text primary key,
      cursor text not null,
      block_num bigint not null
    )`

  // What a change overwrote, so that the blocks of a dropped fork can be taken back newest first.
  yield* sql`
    create table substreams_history (
      id bigint generated always as identity primary key,
      block_num bigint not null,
      table_name text not null,
      pk text not null,
      previous jsonb
    )`
  yield* sql`create index substreams_history_block on substreams_history (block_num)`
})
