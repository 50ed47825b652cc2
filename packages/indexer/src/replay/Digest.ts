import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { DERIVED_TABLES } from "../sink/FactTables.ts"

export interface TableDigest {
  readonly table: string
  readonly rows: string
  /** Sums of both halves of the MD5 of every row: the same for the same rows, in whatever order they lie. */
  readonly digest: string
}

/** Sum of one half of the MD5 `h` of every row, in SQL: of that which begins at this digit. */
export const sumOfHalf = (start: number): string =>
  `coalesce(sum(('x' || substr(h, ${start}, 16))::bit(64)::bigint::numeric), 0)::text`

/** The digest of every derived table of a schema, in constant memory. */
export const digestOf = (sql: SqlClient, schema = "public"): Effect.Effect<ReadonlyArray<TableDigest>, SqlError> =>
  Effect.forEach(DERIVED_TABLES, (table) => {
    const half = (start: number) => sql.literal(sumOfHalf(start))
    return Effect.map(
      sql<Omit<TableDigest, "table">>`
        select count(*)::text as rows, ${half(1)} || '.' || ${half(17)} as digest
        from (select md5(t::text) as h from ${sql(schema)}.${sql(table)} t) rows`,
      ([row]) => ({ table, ...row! }),
    )
  })

/** Whether two digests are of the same rows. */
export const isSameDigest = (left: ReadonlyArray<TableDigest>, right: ReadonlyArray<TableDigest>): boolean =>
  JSON.stringify(left) === JSON.stringify(right)
