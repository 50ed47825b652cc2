import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"

/** Tags as `tokens.tags` has them: each once. */
export const storedTags = (given: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(given)]

/** Inserts the tags of a token that has none in `token_tags`. `token` is a relation with its row of `tokens`. */
export const addTags = (sql: SqlClient, token: Fragment, tags: ReadonlyArray<string>): Fragment => sql`
  insert into token_tags (tag, token_id, created_at)
  select tag, t.id, t.created_at from ${token} t, unnest(${tags}::text[]) as tag`

/** Replaces the tags of a token in `token_tags`. Runs within a transaction. */
export const setTags = Effect.fnUntraced(function* (sql: SqlClient, id: string, tags: ReadonlyArray<string>) {
  yield* sql`delete from token_tags where token_id = ${id}::uuid`
  yield* sql`${addTags(sql, sql`(select * from tokens where id = ${id}::uuid)`, tags)}`
})
