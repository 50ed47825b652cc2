import { Effect } from "effect"
import { SqlClient } from "effect/sql"

/**
 * The rankings of popular tokens have only what was traded. A lookup of what a token is ranked by does not ask for that, so the planner
 * cannot take them for it: PostgreSQL before 17 read half of a span for each.
 */
export default Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  // An index of a large table takes longer than a request may.
  yield* sql`select set_config('statement_timeout', '0', true)`

  // First: the locks that it needs, asked for after that of a new index, would deadlock with a change of the tables.
  yield* sql`drop index if exists trading_windows_rank, recorded_windows_rank`
  for (const table of ["trading_windows", "recorded_windows"]) {
    const ranked = sql(`${table}_ranked`)
    // Created beforehand with `concurrently`, an index that failed is there, and not used.
    const failed = yield* sql`
      select from pg_index i join pg_class c on c.oid = i.indexrelid
      where i.indrelid = ${table}::regclass and not i.indisvalid and c.relname = ${`${table}_ranked`}`
    if (failed.length > 0) yield* sql`drop index ${ranked}`
    yield* sql`
      create index if not exists ${ranked} on ${sql(table)} (span, traders desc, quote_volume desc) where traders > 0`
  }
})
