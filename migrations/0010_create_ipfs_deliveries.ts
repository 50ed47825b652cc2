import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * What backends outside of the service have of the content that was uploaded, and what they are still to get: the outbox
 * of IPFS. The server writes this table.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table ipfs_deliveries (
      cid text collate "C" not null,
      backend text collate "C" not null check (backend in ('filebase', 'w3up')),
      content_type text not null,
      size_bytes bigint not null check (size_bytes >= 0),
      created_at timestamptz(3) not null,
      delivered_at timestamptz(3),
      attempts integer not null default 0,
      next_attempt_at timestamptz(3) not null,
      last_error text,
      is_permanent boolean not null default false,
      primary key (cid, backend)
    )`
  yield* sql`
    create index ipfs_deliveries_due on ipfs_deliveries (backend, next_attempt_at) where delivered_at is null`
})
