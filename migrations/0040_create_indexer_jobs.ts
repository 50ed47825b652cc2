import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** What operators asked the leading indexer to do. Slots are inclusive; `total` and `done` are slots, or offsets of the log. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table indexer_jobs (
      id bigint primary key generated always as identity,
      kind text not null check (kind in ('backfill', 'replay')),
      from_slot bigint,
      to_slot bigint,
      keep_facts boolean not null default false,
      reason text not null check (length(reason) between 1 and 200),
      state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed', 'cancelled')),
      starts integer not null default 0,
      done bigint not null default 0,
      total bigint,
      detail text,
      requested_at timestamptz(3) not null,
      started_at timestamptz(3),
      ended_at timestamptz(3),
      check ((kind = 'backfill') = (from_slot is not null)),
      check (from_slot <= to_slot)
    )`
  yield* sql`create index indexer_jobs_open on indexer_jobs (id) where ended_at is null`
})
