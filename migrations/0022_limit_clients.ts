import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What clients have used of their limits: requests of a window, uploads and records of a UTC day, and the bytes of all
 * uploads. Windows are not logged: after a crash of the server everybody has a new one. Bytes are counted when a process
 * starts with a cap on them.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create unlogged table rate_limit_windows (
      client text collate "C" primary key,
      ends_at timestamptz(3) not null,
      taken integer not null,
      needed integer not null,
      granted integer not null
    )`
  yield* sql`create index rate_limit_windows_ends_at on rate_limit_windows (ends_at)`
  yield* sql`
    create table ipfs_upload_days (
      client text collate "C" not null,
      day date not null,
      uploads integer not null,
      bytes bigint not null,
      primary key (client, day)
    )`
  yield* sql`
    create table ipfs_stored_bytes (
      id boolean primary key default true check (id),
      bytes bigint not null
    )`
  yield* sql`insert into ipfs_stored_bytes (bytes) values (0)`
  yield* sql`
    create table record_days (
      client text collate "C" not null,
      day date not null,
      records integer not null,
      primary key (client, day)
    )`
})
