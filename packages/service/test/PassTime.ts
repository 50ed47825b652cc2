import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"

/** Writes many rows at once beside processes that lock them in another order. */
export const despiteDeadlocks: <A, R>(write: Effect.Effect<A, SqlError, R>) => Effect.Effect<A, SqlError, R> =
  Effect.retry({ times: 20, while: ({ reason }) => reason._tag === "DeadlockError" })

/**
 * Lets time pass for all stored swaps, as if everything had been written so much earlier. The results of polls in
 * flight are not written, because they began in that past, as when a process returns late.
 */
export const passTime = Effect.fnUntraced(function* (interval: string) {
  const sql = yield* SqlClient
  const columns = yield* sql<{ readonly tableName: string; readonly columnName: string }>`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and table_name like 'bridge\\_%' and data_type = 'timestamp with time zone'`
  const byTable = Map.groupBy(columns, ({ tableName }) => tableName)
  yield* Effect.forEach(
    byTable,
    ([table, times]) => {
      const earlier = times.map(
        ({ columnName }) => sql`${sql(columnName)} = ${sql(columnName)} - ${interval}::interval`,
      )
      const changes = table === "bridge_swaps" ? [...earlier, sql`version = version + 1`] : earlier
      return sql`update ${sql(table)} set ${sql.csv(changes)}`
    },
    { discard: true },
  ).pipe(sql.withTransaction, despiteDeadlocks)
})
