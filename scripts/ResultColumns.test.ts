import { globSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { hasUnnamedColumns, unnamedColumns } from "./ResultColumns.ts"

const ROOT = join(import.meta.dirname, "..")

describe("The columns of a statement's result", () => {
  /** PostgreSQL refuses a prepared one within a transaction, once a migration has added a column that `*` would have. */
  it("are named in every source", () => {
    const sources = globSync(["packages/*/src/**/*.ts", "migrations/src/**/*.ts"], { cwd: ROOT })
    assert.isAbove(sources.length, 500)
    assert.deepStrictEqual(
      sources.flatMap((file) => unnamedColumns(file, readFileSync(join(ROOT, file), "utf8"))),
      [],
    )
  })

  it("are not named by * of a table, in whatever part of it that makes the result", () => {
    for (const statement of [
      "select * from jobs",
      "select *, a as b from jobs",
      "select t.* from jobs t where id in (select id from open)",
      "insert into jobs (id) values ($) returning *",
      "with gone as (delete from jobs returning id) select * from gone",
      "(select * from jobs where a) union all (select * from jobs where b) order by id",
      "select a from jobs union all (select * from jobs)",
      "select * from (select * from jobs) t",
      "select * from (select t.*, 1 as n from jobs t) t",
    ])
      assert.isTrue(hasUnnamedColumns(statement), statement)
    for (const statement of [
      "select a, b from jobs",
      "select count(*) from jobs",
      "select a * b, 2 * c from jobs",
      "select a from (select * from jobs) t",
      "select a from jobs t cross join lateral (select * from jobs where id = t.id limit 1) j",
      "select * from (select a, count(*) as n from jobs group by a) t",
      "select * from ($) t",
      "with gone as (delete from jobs returning *) select id from gone",
      "insert into jobs select * from $.jobs",
      "(select t.*, 1 as n from jobs t)",
      "select * except (version) from history.trades",
    ])
      assert.isFalse(hasUnnamedColumns(statement), statement)
  })
})
