import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** Inserts `count` copies of a swap with other ids and addresses, due `dueMillis` after it. */
export const copiedSwaps = Effect.fnUntraced(function* (id: string, count: number, dueMillis = 0) {
  const sql = yield* SqlClient
  const columns = yield* sql<{ readonly columnName: string }>`
    select column_name from information_schema.columns
    where table_name = 'bridge_swaps' and is_generated = 'NEVER' order by ordinal_position`
  const names = columns.map(({ columnName }) => columnName)
  const values = names.map((name) => {
    if (name === "id") return sql`gen_random_uuid()`
    if (name === "deposit_address") return sql`s.deposit_address || '-copy-' || n`
    return name === "next_poll_at"
      ? sql`s.next_poll_at + interval '1 millisecond' * ${dueMillis}::integer`
      : sql`s.${sql(name)}`
  })
  yield* sql`
    insert into bridge_swaps (${sql.csv(names.map((name) => sql`${sql(name)}`))})
    select ${sql.csv(values)} from bridge_swaps s, generate_series(1, ${count}::integer) n where s.id = ${id}::uuid`
})
