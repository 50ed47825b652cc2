import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { DERIVED_TABLES } from "../sink/DerivedTables.ts"

export interface TableDigest {
  readonly table: string
  readonly rows: string
  /** Sums of both halves of the MD5 of every row: the same for the same rows, in whatever order they lie. */
  readonly digest: string
}

/** The digest of every derived table of a schema, in constant memory. */
export const digestOf = (sql: SqlClient, schema = "public"): Effect.Effect<ReadonlyArray<TableDigest>, SqlError> =>
  Effect.forEach(DERIVED_TABLES, (table) => {
    const half = (start: number) =>
      sql.literal(`coalesce(sum(('x' || substr(h, ${start}, 16))::bit(64)::bigint::numeric), 0)`)
    return Effect.map(
      sql<Omit<TableDigest, "table">>`
        select count(*)::text as rows, ${half(1)}::text || '.' || ${half(17)}::text as digest
        from (select md5(t::text) as h from ${sql(schema)}.${sql(table)} t) rows`,
      ([row]) => ({ table, ...row! }),
    )
  })

/** Whether two digests are of the same rows. */
export const isSameDigest = (left: ReadonlyArray<TableDigest>, right: ReadonlyArray<TableDigest>): boolean =>
  JSON.stringify(left) === JSON.stringify(right)
