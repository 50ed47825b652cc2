import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What the builders of launches stored, by age, and up to when it was looked at: what was never signed is deleted. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  // Created beforehand with `concurrently`, an index that failed is there, and not used.
  const failed = yield* sql`
    select indexrelid::regclass::text as name from pg_index where not indisvalid and indexrelid = any(array[
      to_regclass('launch_configs_created'), to_regclass('launch_pools_created'), to_regclass('launch_metadata_created')])`
  for (const { name } of failed) yield* sql`drop index ${sql(String(name))}`
  yield* sql`create index if not exists launch_configs_created on launch_configs (created_at)`
  yield* sql`create index if not exists launch_pools_created on launch_pools (created_at)`
  yield* sql`create index if not exists launch_metadata_created on launch_metadata (created_at)`

  yield* sql`
    create table launch_sweeps (
      built text collate "C" primary key check (built in ('configs', 'pools', 'metadata')),
      swept_to timestamptz(3) not null
    )`
  yield* sql`
    insert into launch_sweeps (built, swept_to)
    select built, '1900-01-01Z' from unnest(array['configs', 'pools', 'metadata']) built`
})
