import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/** Tokens that appear by themselves once they were launched on chain, and how far the registry has followed the index. */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // A token that the chain registered waits for whoever launched it to complete it.
  yield* sql`
    alter table tokens add column registered_by text not null default 'client'
      check (registered_by in ('client', 'chain'))`

  yield* sql`
    create table registry_progress (
      id boolean primary key default true check (id),
      change_id bigint not null,
      statuses_asked_at timestamptz not null
    )`
  yield* sql`insert into registry_progress (change_id, statuses_asked_at) values (0, '-infinity')`
})
