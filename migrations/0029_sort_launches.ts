import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Lists of launches by stage. `launch_listings` is derived by the server from the tables of the indexer and from the registry, a row for
 * each pool; `listed_to` is how far it has been compared with them, `is_listed` whether that was done for all pools since the registry
 * started over.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // progress is in millionths; 0 while it is not known.
  yield* sql`
    create table launch_listings (
      pool text collate "C" primary key,
      base_mint text collate "C" not null,
      config text collate "C" not null,
      creator text collate "C" not null,
      quote_mint text collate "C" not null,
      stage text collate "C" not null check (stage in ('curve', 'completed', 'migrated')),
      is_registered boolean not null,
      launched_at timestamptz(0) not null,
      graduated_at timestamptz(0),
      progress integer not null default 0
    )`
  yield* sql`create index launch_listings_mint on launch_listings (base_mint)`
  yield* sql`
    create index launch_listings_newest on launch_listings (is_registered, stage, launched_at desc, pool desc)`
  yield* sql`
    create index launch_listings_progress on launch_listings (is_registered, progress desc, pool desc) where stage = 'curve'`
  yield* sql`
    create index launch_listings_graduated on launch_listings (is_registered, graduated_at desc, pool desc)
    where stage = 'migrated'`
  yield* sql`
    create index launch_listings_config on launch_listings (config, is_registered, launched_at desc, pool desc)`
  yield* sql`
    create index launch_listings_creator on launch_listings (creator, is_registered, launched_at desc, pool desc)`

  yield* sql`
    alter table registry_progress
      add column listed_to text collate "C" not null default '',
      add column is_listed boolean not null default false`
})
