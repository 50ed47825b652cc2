import type { Field, Result, Row } from "@effect/sql-pg/PgConnection"
import { String as Str } from "effect"

/** Names of columns, and of the fields that rows have for them. */
type Names = ReadonlyArray<readonly [column: string, field: string]>

/** By the description of a result, which a prepared statement has once. */
const known = new WeakMap<ReadonlyArray<Field>, Names>()

const namesOf = (columns: Iterable<string>): Names =>
  Array.from(new Set(columns), (column) => [column, Str.snakeToCamel(column)] as const)

const renamed = (rows: ReadonlyArray<Row>, names: Names): ReadonlyArray<Row> =>
  names.every(([column, field]) => column === field)
    ? rows
    : rows.map((row) => {
        const fields: Record<string, unknown> = {}
        for (const [column, field] of names) fields[field] = row[column]
        return fields
      })

/** The rows of a result with the names of its columns in camelCase; documents are unchanged. */
export const camelCaseRowsOf = ({ fields, rows }: Result): ReadonlyArray<Row> => {
  if (rows.length === 0) return rows
  let names = known.get(fields)
  if (names === undefined) known.set(fields, (names = namesOf(fields.map(({ name }) => name))))
  return renamed(rows, names)
}

/** The same for rows alone, as a stream has them. */
export const camelCaseRows = <A extends object>(rows: ReadonlyArray<A>): ReadonlyArray<A> =>
  rows[0] === undefined
    ? rows
    : (renamed(rows as ReadonlyArray<Row>, namesOf(Object.keys(rows[0]))) as ReadonlyArray<A>)
