import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Replaces the tags of a token, without duplicates. Runs within a transaction. */
export const setTags = Effect.fnUntraced(function* (sql: SqlClient, id: string, given: ReadonlyArray<string>) {
  const tags = [...new Set(given)]
  yield* sql`delete from token_tags where token_id = ${id}::uuid`
  yield* sql`
    insert into token_tags (tag, token_id, launchpad, active, created_at, mint_address, mint_number)
    select tag, t.id, t.launchpad, t.active, t.created_at, t.mint_address, t.mint_number
    from tokens t, unnest(${tags}::text[]) as tag where t.id = ${id}::uuid`
  yield* sql`update tokens set tags = ${tags}::text[] where id = ${id}::uuid`
})
