import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Segments of the log can be kept in objects of an S3 bucket. A segment that is in one names it by the offset of the object's first
 * segment, and its bytes there; once they were read back, those here may be null. The row stays, so that nothing is passed over.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large log takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  yield* sql`
    create table inbox_archives (
      first_offset bigint primary key,
      last_offset bigint not null,
      name text not null,
      segments integer not null,
      transactions bigint not null,
      bytes bigint not null,
      sha256 bytea not null,
      archived_at timestamptz(3) not null,
      moved_at timestamptz(3)
    )`
  yield* sql`create index inbox_archives_here on inbox_archives (archived_at) where moved_at is null`
  yield* sql`
    alter table inbox_segments
      alter column bytes drop not null,
      add column if not exists archive_offset bigint,
      add column if not exists archive_start bigint,
      add column if not exists archive_bytes integer,
      add column if not exists archive_sha256 bytea`
  // What is to be archived next; most of a log is.
  yield* sql`create index if not exists inbox_segments_here on inbox_segments (log_offset) where archive_offset is null`
})
