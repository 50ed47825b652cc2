import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Content of the embedded IPFS store: blocks by CID, and what was uploaded. The server writes these tables. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Keyed by the multihash-bearing CID, so the same block is kept once whatever it is part of.
  yield* sql`
    create table ipfs_blocks (
      cid text collate "C" primary key,
      bytes bytea not null
    )`
  // Images and already compressed data gain nothing from another compression.
  yield* sql`alter table ipfs_blocks alter column bytes set storage external`

  yield* sql`
    create table ipfs_uploads (
      cid text collate "C" primary key,
      content_type text not null,
      size_bytes bigint not null check (size_bytes >= 0),
      file_name text,
      created_at timestamptz(3) not null
    )`
  yield* sql`create index ipfs_uploads_recent on ipfs_uploads (created_at desc)`
})
