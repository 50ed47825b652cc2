import type { Result, Row } from "@effect/sql-pg/PgConnection"
import { assert, describe, it } from "@effect/vitest"
import { Schema, String as Str } from "effect"
import { Statement } from "effect/sql"
import { camelCaseRows, camelCaseRowsOf } from "../src/CamelCaseRows.ts"

const expected = Statement.defaultTransforms(Str.snakeToCamel, false).array

const Column = Schema.Literals(["id", "a_b", "created_at", "a1_b2_c3", "x__y", "_led", "trailed_", "aB", "token_id"])
const Value = Schema.NullOr(Schema.Union([Schema.Int, Schema.String]))
const DOCUMENT = { a_document: [{ b_c: 1 }] }

const ofColumns = (columns: ReadonlyArray<string>, values: ReadonlyArray<unknown>): Row =>
  Object.fromEntries(columns.map((column, index) => [column, values[index] ?? DOCUMENT]))

describe("Rows", () => {
  it.prop(
    "have the names that the SQL client of effect gives them, and unchanged documents",
    [Schema.Array(Column), Schema.Array(Schema.Array(Value))],
    ([columns, values]) => {
      const rows = values.map((one) => ofColumns(columns, one))
      // A column that is selected twice is one of a row.
      const fields = columns.map((name) => ({ name, dataTypeId: 25 }))
      const result: Result = { command: "SELECT", rowCount: rows.length, oid: null, fields, rows }
      assert.deepStrictEqual(camelCaseRowsOf(result), expected(rows))
      // Now the names are known.
      assert.deepStrictEqual(camelCaseRowsOf({ ...result, rows: rows.slice(1) }), expected(rows.slice(1)))
      assert.deepStrictEqual(camelCaseRows(rows), expected(rows))
    },
  )
})
