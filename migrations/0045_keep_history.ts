import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Proven trades are also sent to ClickHouse, in the order of their ordinals, and old ones may then leave PostgreSQL. What changes among
 * those that were sent is noted, and sent after them. The log takes no transaction of closed slots: their trades have left.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // Ordinals, each the first one that is not meant; times are starts of minutes. `resend_below` is how far history reached when the tables
  // were derived again: what is there of an older version is deleted once all of it was sent again. Tokens are sent
  // when they are registered, and all of them in turns. History has an id of its own, so that another one is not taken for it.
  yield* sql`
    create table history_progress (
      id boolean primary key default true check (id),
      claimed_below bigint not null default 0,
      sent_below bigint not null default 0,
      sent_at timestamptz(3),
      kept_from bigint not null default 0,
      minutes_from timestamptz(0),
      resend_below bigint not null default 0,
      resend_version bigint not null default 0,
      version bigint not null default 0,
      registered_to timestamptz(3) not null default '-infinity',
      walked_to text collate "C" not null default '',
      history_id text collate "C"
    )`
  yield* sql`insert into history_progress default values`
  yield* sql`
    create table history_changes (
      ordinal bigint not null,
      signature text collate "C" not null,
      base_mint text collate "C" not null,
      trader text collate "C" not null,
      times integer not null default 1,
      primary key (ordinal, signature, base_mint, trader)
    )`
  // Before whatever is appended from then on.
  yield* sql`
    alter table inbox_head
      add column closed_from_slot bigint not null default -1,
      add column closed_to_slot bigint not null default -1,
      add column closed_at_offset bigint not null default 0`
})
