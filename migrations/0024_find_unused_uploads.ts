import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Which uploads are in use. `used_at`: last uploaded, or last found to be named. `links`: the CIDs of its other blocks, and
 * those that a metadata document names; null for an upload of an earlier version, until it is read. The indexes of words
 * find the URIs that name a CID, however they write it: a word is between what no CID has in it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  // Texts are bounded, because an entry of such an index has at most 2,700 bytes. With a list of pending entries each search
  // would read that list.
  yield* sql`
    create index if not exists dbc_pools_words on dbc_pools
    using gin (regexp_split_to_array(left(uri, 2048), '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+')) with (fastupdate = off)`
  yield* sql`
    create index if not exists launch_configs_words on launch_configs
    using gin (regexp_split_to_array((metadata - 'description')::text, '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+')) with (fastupdate = off)`
  yield* sql`
    create index if not exists launch_metadata_words on launch_metadata
    using gin (regexp_split_to_array(left(uri, 2048) || ' ' || (metadata - 'description')::text,
      '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+')) with (fastupdate = off)`
  yield* sql`
    create index if not exists tokens_words on tokens
    using gin (regexp_split_to_array(left(token_uri, 2048) || ' ' || left(banner_uri, 2048) || ' ' || left(website, 2048)
      || ' ' || left(twitter, 2048) || ' ' || left(telegram, 2048) || ' ' || coalesce(left(claimed ->> 'tokenUri', 2048), ''),
      '(%[0-9A-Fa-f]{2}|[^A-Za-z0-9_-])+')) with (fastupdate = off)`

  // After the others: the gateway waits from here on.
  yield* sql`alter table ipfs_uploads add column used_at timestamptz(3), add column links text[] collate "C"`
  yield* sql`create index ipfs_uploads_used on ipfs_uploads (coalesce(used_at, created_at), cid)`
  yield* sql`create index ipfs_uploads_links on ipfs_uploads using gin (links) with (fastupdate = off)`
  yield* sql`create index ipfs_uploads_unread on ipfs_uploads (cid) where links is null`
})
