import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * Transactions of proven slots can be deleted from the log. `inbox_head` remembers which slots these are (-1: none) and by
 * which modules the facts of them were derived, which cannot be derived again.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large log takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  // What may be deleted, oldest first.
  yield* sql`create index inbox_segments_last_slot on inbox_segments (last_slot)`
  yield* sql`create index inbox_poison_received on inbox_poison (received_at)`
  yield* sql`create index dead_letters_slot on dead_letters (slot)`

  // After the indexes: deliveries lock the segments first as well, and need this row.
  yield* sql`
    alter table inbox_head
      add column pruned_from_slot bigint not null default -1,
      add column pruned_to_slot bigint not null default -1,
      add column pruned_facts text`
})
