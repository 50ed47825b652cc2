import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What backends outside of the service have of the content that was uploaded, and what they are still to get: the outbox
 * of IPFS. The server writes this table.
 *
 * `destination` names the place at the backend (its bucket, its space): another place has nothing of what this one has.
 * `is_outage`: the last failure was one of the backend and passes with it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table ipfs_deliveries (
      cid text collate "C" not null,
      backend text collate "C" not null check (backend in ('filebase', 'w3up')),
      destination text collate "C" not null,
      content_type text not null,
      size_bytes bigint not null check (size_bytes >= 0),
      created_at timestamptz(3) not null,
      delivered_at timestamptz(3),
      attempts integer not null default 0,
      next_attempt_at timestamptz(3) not null,
      last_failed_at timestamptz(3),
      last_error text,
      is_outage boolean not null default false,
      primary key (cid, backend, destination)
    )`
  yield* sql`
    create index ipfs_deliveries_due on ipfs_deliveries (backend, destination, next_attempt_at)
    where delivered_at is null`
  yield* sql`create index ipfs_deliveries_created on ipfs_deliveries (created_at)`
})
