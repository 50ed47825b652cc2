import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Endpoints that events are sent to, and one message for each endpoint and event. Signing secrets are derived from a
 * setting and the version, so none is stored. `next_attempt_at` is due time and lease of a pending message; `attempts`
 * counts those since it was created or redelivered. The row of a deleted endpoint goes once its messages are gone. The cursor
 * is null until the first process follows the index.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  yield* sql`
    create table notification_endpoints (
      id uuid primary key,
      owner text collate "C" not null,
      url text not null,
      description text not null,
      types text[] not null check (cardinality(types) > 0),
      mints text[] not null,
      state text not null check (state in ('enabled', 'disabled', 'deleted')),
      disabled_reason text check (disabled_reason in ('by_owner', 'gone', 'failing')),
      secret_version integer not null,
      previous_secret_until timestamptz(3),
      after_change bigint not null,
      failing_since timestamptz(3),
      last_failed_at timestamptz(3),
      is_skipping boolean not null,
      skipped_messages bigint not null,
      last_skipped_at timestamptz(3),
      created_at timestamptz(3) not null,
      updated_at timestamptz(3) not null,
      check ((state = 'disabled') = (disabled_reason is not null))
    )`
  yield* sql`create index notification_endpoints_list on notification_endpoints (created_at desc, id desc)`
  yield* sql`create index notification_endpoints_owner on notification_endpoints (owner, created_at desc, id desc)`
  yield* sql`
    create table notification_messages (
      id uuid primary key,
      endpoint_id uuid not null references notification_endpoints (id) on delete cascade,
      type text not null,
      body text not null,
      state text not null check (state in ('pending', 'delivered', 'failed')),
      attempts integer not null,
      next_attempt_at timestamptz(3) not null,
      last_status smallint,
      last_error text,
      version integer not null,
      created_at timestamptz(3) not null,
      settled_at timestamptz(3),
      check ((state = 'pending') = (settled_at is null))
    )`
  yield* sql`
    create index notification_messages_due on notification_messages (endpoint_id, next_attempt_at)
      where state = 'pending'`
  yield* sql`
    create index notification_messages_list on notification_messages (endpoint_id, created_at desc, id desc)`
  yield* sql`
    create index notification_messages_state on notification_messages (endpoint_id, state, created_at desc, id desc)`
  yield* sql`
    create index notification_messages_settled on notification_messages (settled_at) where state <> 'pending'`
  yield* sql`
    create table notification_attempts (
      message_id uuid not null references notification_messages (id) on delete cascade,
      number integer not null,
      at timestamptz(3) not null,
      status smallint,
      error text,
      duration_millis integer not null,
      primary key (message_id, number)
    )`
  yield* sql`
    create table notification_progress (
      id boolean primary key default true check (id),
      change_id bigint
    )`
  yield* sql`insert into notification_progress default values`
})
