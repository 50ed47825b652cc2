import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Who may write, and who wrote. Of an API key there is the hash of its secret alone. A nonce is used once; with the hash
 * of an Idempotency-Key and its request, again for that request. A row of the audit log stands before the work, and gets
 * its status with the answer.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table api_keys (
      id text collate "C" primary key,
      name text not null,
      scopes text[] not null check (scopes <@ array['read', 'write', 'admin'] and cardinality(scopes) > 0),
      secret_hash bytea not null,
      created_at timestamptz(3) not null,
      lifetime_days integer,
      expires_at timestamptz(3),
      revoked_at timestamptz(3),
      last_used_at timestamptz(3)
    )`
  yield* sql`
    create table signed_nonces (
      wallet text collate "C" not null,
      nonce text collate "C" not null,
      retry_hash bytea,
      expires_at timestamptz(3) not null,
      primary key (wallet, nonce)
    )`
  yield* sql`create index signed_nonces_expires on signed_nonces (expires_at)`
  yield* sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null,
      caller_kind text not null check (caller_kind in ('key', 'wallet')),
      caller_id text collate "C" not null,
      caller_name text not null,
      method text not null,
      route text collate "C" not null,
      subject text,
      request_id text collate "C" not null,
      status smallint
    )`
  yield* sql`create index audit_log_at on audit_log (at)`
})
