import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Statement } from "effect/sql/Statement"

/** What a statement read of a table by one node of its plan. */
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

/** The two plans that a prepared statement may have. */
export const PLAN_MODES = ["force_custom_plan", "force_generic_plan"] as const

const nodesOf = (node: PlanNode): ReadonlyArray<PlanNode> => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

const textOf = (value: unknown): string =>
  Array.isArray(value)
    ? `{${value.map((item) => JSON.stringify(String(item))).join(",")}}`
    : value instanceof Date
      ? value.toISOString()
      : String(value)

const quoted = (value: unknown): string => `'${textOf(value).replaceAll("'", "''")}'`

/** The nodes of a prepared statement's plan of one kind, which is executed. */
export const planNodes = Effect.fn(function* (mode: (typeof PLAN_MODES)[number], statement: Statement<unknown>) {
  const sql = yield* SqlClient
  const [text, params] = statement.compile()
  return yield* Effect.gen(function* () {
    yield* sql`select set_config('plan_cache_mode', ${mode}, true)`
    yield* sql.unsafe(`prepare asked as ${text}`)
    const [row] = yield* sql.unsafe<Record<string, unknown>>(
      `explain (analyze, timing off, format json) execute asked(${params.map(quoted).join(", ")})`,
    ).unprepared
    yield* sql.unsafe("deallocate asked")
    const [{ Plan }] = Object.values(row!)[0] as [{ readonly Plan: PlanNode }]
    return nodesOf(Plan)
  }).pipe(sql.withTransaction)
})

export const rowsReadBy = (node: PlanNode): number =>
  node["Actual Loops"] *
  (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0))
