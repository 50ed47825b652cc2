import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What the chain says of a token wins over what clients say: which launch a token's facts are of, what a client had claimed
 * before the chain was known to say otherwise, an audit trail of corrections, and what was built for launches that have not
 * landed yet. The server writes these tables.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // pool and config are null while the chain does not know the mint. claimed is what a client had registered before the
  // chain said otherwise, and comes back when the launch is rolled back. A token that the chain registered waits for one
  // POST that completes it.
  yield* sql`
    alter table tokens
      add column pool text collate "C",
      add column config text collate "C",
      add column claimed jsonb,
      add column completed_at timestamptz(3)`

  // The audit trail: rows are added and never changed.
  yield* sql`
    create table token_corrections (
      id uuid primary key,
      token_id uuid not null,
      mint_address text collate "C" not null,
      corrected_at timestamptz(3) not null,
      corrected_by text not null check (corrected_by in ('chain', 'rollback')),
      pool text collate "C" not null,
      before jsonb not null,
      after jsonb not null
    )`
  yield* sql`create index token_corrections_token on token_corrections (token_id, corrected_at desc)`
  yield* sql`create index token_corrections_recent on token_corrections (corrected_at desc)`

  // What a configuration was built with, and for which token; documents, read and written whole.
  yield* sql`alter table launch_configs add column dbc_config jsonb, add column metadata jsonb`

  // What a deployment was built with. The first one counts: nobody else knows the mint before its builder does.
  yield* sql`
    create table launch_metadata (
      base_mint text collate "C" not null,
      signer text collate "C" not null,
      uri text collate "C" not null,
      name text not null,
      symbol text not null,
      metadata jsonb not null,
      created_at timestamptz(3) not null,
      primary key (base_mint, signer, uri)
    )`

  // A launch has one DEPLOY record.
  yield* sql`create unique index transactions_deploy on transactions (pool_address) where action = 'DEPLOY'`

  // Set when the registry has to be compared with the tables of the indexer as a whole: now, for what was registered before.
  yield* sql`alter table registry_progress add column must_start_over boolean not null default true`
})
