import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/**
 * Lets time pass for everything that is stored of swaps: as if it had all been written so much earlier. Looks that are under
 * way were begun in that past: what they find is not written, as when a process comes back late.
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
  ).pipe(sql.withTransaction)
})
