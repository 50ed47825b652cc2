import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"

/** The kinds of plan that a prepared statement has. */
export const PLAN_MODES = ["force_custom_plan", "force_generic_plan"]

/** What a statement read by one node of its plan. */
export interface PlanNode {
  readonly "Node Type": string
  readonly "Relation Name"?: string
  readonly "Index Name"?: string
  readonly "Actual Rows": number
  readonly "Actual Loops": number
  readonly "Rows Removed by Filter"?: number
  readonly "Rows Removed by Index Recheck"?: number
  readonly Plans?: ReadonlyArray<PlanNode>
}

const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const quoted = (value: unknown): string =>
  Array.isArray(value)
    ? quoted(`{${value.join(",")}}`)
    : typeof value === "number" || typeof value === "boolean" || typeof value === "bigint"
      ? String(value)
      : `'${(value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''")}'`

/** The nodes of a prepared statement's plan of one kind that read tables, after it was executed. */
export const planOf = Effect.fn(function* (mode: string, statement: Statement<unknown>) {
  const sql = yield* SqlClient
  const [text, params] = statement.compile()
  return yield* Effect.gen(function* () {
    yield* sql`select set_config('plan_cache_mode', ${mode}, true)`
    yield* sql.unsafe(`prepare asked as ${text}`)
    const values = params.length === 0 ? "" : `(${params.map(quoted).join(", ")})`
    const [row] = yield* sql.unsafe<Record<string, unknown>>(
      `explain (analyze, timing off, format json) execute asked${values}`,
    ).unprepared
    yield* sql.unsafe("deallocate asked")
    const [{ Plan }] = Object.values(row!)[0] as [{ readonly Plan: PlanNode }]
    return nodesOf(Plan).filter((node) => node["Relation Name"] !== undefined)
  }).pipe(sql.withTransaction)
})

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

export const rowsReadBy = (node: PlanNode): number =>
  node["Actual Loops"] *
  (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0))
