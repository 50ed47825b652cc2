import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Registered tokens with their configuration and tags. The server writes these tables.
 *
 * Enumerations are text with a check: arrays of enum types come back garbled from the driver. Times keep milliseconds,
 * which is what a cursor and an answer carry.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`create extension if not exists pg_trgm`

  yield* sql`
    create table tokens (
      id uuid primary key,
      mint_address text collate "C" not null,
      name text not null,
      symbol text not null,
      description text not null default '',
      total_supply numeric not null check (total_supply >= 0 and scale(total_supply) <= 40),
      decimals smallint not null check (decimals between 0 and 18),
      owner text collate "C" not null,
      launchpad text not null check (launchpad in ('launchpad_a', 'launchpad_b')),
      tags text[] not null default '{}',
      active boolean not null default true,
      token_uri text not null default '',
      banner_uri text not null default '',
      website text not null default '',
      twitter text not null default '',
      telegram text not null default '',
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      deleted_at timestamptz(3)
    )`

  yield* sql`create unique index tokens_mint_address on tokens (mint_address) where deleted_at is null`
  yield* sql`create index tokens_recent on tokens (created_at desc, id desc) where deleted_at is null`
  yield* sql`create index tokens_launchpad on tokens (launchpad, active, created_at desc, id desc) where deleted_at is null`
  yield* sql`create index tokens_active on tokens (active, created_at desc, id desc) where deleted_at is null`
  yield* sql`create index tokens_owner on tokens (owner, created_at desc, id desc) where deleted_at is null`
  yield* sql`
    create index tokens_symbol on tokens (lower(symbol) text_pattern_ops, created_at desc, id desc)
    where deleted_at is null`
  yield* sql`
    create index tokens_name on tokens (lower(name) text_pattern_ops, created_at desc, id desc)
    where deleted_at is null`
  yield* sql`
    create index tokens_text on tokens
    using gin (lower(symbol || e'\n' || name || e'\n' || description) gin_trgm_ops)
    where deleted_at is null`

  // One row a tag, carrying what lists filter by: with an array index the planner walks the newest tokens instead,
  // which reads the whole table when few of them have the tag.
  yield* sql`
    create table token_tags (
      tag text collate "C" not null,
      token_id uuid not null references tokens (id),
      launchpad text not null,
      active boolean not null,
      created_at timestamptz(3) not null,
      primary key (tag, token_id)
    )`
  yield* sql`
    create index token_tags_recent on token_tags (tag, created_at desc, token_id desc) include (launchpad, active)`
  yield* sql`create index token_tags_token on token_tags (token_id)`

  // Groups of parameters are documents: they are read and written whole. Amounts in them are decimal strings.
  yield* sql`
    create table token_dbc_configs (
      token_id uuid primary key references tokens (id),
      quote_mint text collate "C",
      has_dbc_config boolean not null,
      build_curve_mode smallint check (build_curve_mode between 0 and 3),
      total_token_supply numeric,
      migration_option smallint check (migration_option in (0, 1)),
      token_base_decimal smallint,
      token_quote_decimal smallint,
      dynamic_fee_enabled boolean,
      activation_type smallint check (activation_type in (0, 1)),
      collect_fee_mode smallint check (collect_fee_mode in (0, 1)),
      migration_fee_option smallint check (migration_fee_option between 0 and 6),
      token_type smallint check (token_type in (0, 1)),
      partner_lp_percentage double precision,
      creator_lp_percentage double precision,
      partner_locked_lp_percentage double precision,
      creator_locked_lp_percentage double precision,
      creator_trading_fee_percentage double precision,
      leftover numeric,
      token_update_authority smallint check (token_update_authority between 0 and 4),
      leftover_receiver text collate "C",
      fee_claimer text collate "C",
      pool_creation_fee numeric,
      enable_first_swap_with_min_fee boolean,
      build_curve_param jsonb,
      base_fee_mode smallint check (base_fee_mode between 0 and 2),
      fee_scheduler_param jsonb,
      rate_limiter_param jsonb,
      locked_vesting_param jsonb,
      migration_fee jsonb,
      migrated_pool_fee jsonb
    )`
})
