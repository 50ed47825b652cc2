import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Requests that came with an Idempotency-Key, for a day. The server writes this table.
 *
 * A row stands before the work begins, so that the same request does not begin it as well; `claim` is of whoever does it,
 * and ends with `lease_until` unless it is kept up. The answer is written in the transaction that it is about. Of a key
 * there is its hash alone: with the key itself sealed answers could be read. An answer without a status is made anew by
 * whoever made it.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table idempotent_requests (
      caller text collate "C" not null,
      key_hash bytea not null,
      operation text collate "C" not null,
      request_hash bytea not null,
      state text not null check (state in ('in_flight', 'answered')),
      claim uuid not null,
      lease_until timestamptz(3) not null,
      created_at timestamptz(3) not null,
      status smallint,
      content_type text,
      location text,
      cache_control text,
      is_sealed boolean not null default false,
      body bytea,
      primary key (caller, key_hash)
    )`
  yield* sql`create index idempotent_requests_created on idempotent_requests (created_at)`
})
