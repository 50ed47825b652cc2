import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** How many rows of these tables `work` reads, and how often it reads one of them as a whole. */
export const readingOf = Effect.fn(function* <A, E, R>(tables: ReadonlyArray<string>, work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient
  const counters = sql<{ readonly rows: number; readonly scans: number }>`
    select sum(coalesce(seq_tup_read, 0) + coalesce(idx_tup_fetch, 0))::int as rows, sum(coalesce(seq_scan, 0))::int as scans
    from pg_stat_xact_user_tables where relname = any(${tables}::text[])`
  return yield* Effect.gen(function* () {
    // Those of earlier transactions of the connection may still be among them.
    const [before] = yield* counters
    const found = yield* work
    const [after] = yield* counters
    return { found, rows: after!.rows - before!.rows, scans: after!.scans - before!.scans }
  }).pipe(sql.withTransaction)
})

/** Runs `work` in a transaction in which statements have plans of one kind. */
export const inPlanMode = <A, E, R>(mode: string, work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.andThen(sql`select set_config('plan_cache_mode', ${mode}, true)`, work).pipe(sql.withTransaction),
  )
