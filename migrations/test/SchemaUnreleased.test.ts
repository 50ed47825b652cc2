import { execFile } from "node:child_process"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { inject } from "vitest"
import { awaitMigrations } from "../src/AwaitMigrations.ts"
import { migrate } from "../src/Migrate.ts"
import { MIGRATIONS_FOLDER } from "../src/Migrations.ts"
import * as TestDatabase from "../src/TestDatabase.ts"

const TOLD =
  "The database has the schema of an unreleased version, which cannot be migrated: export what you need from it, and start " +
  "with an empty database, or in local mode delete the data folder"

/** As a version before the first release left it. */
const migratedBefore = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`
    create table schema_migrations (
      migration_id integer primary key, created_at timestamptz not null default now(), name text not null)`
  yield* sql`insert into schema_migrations (migration_id, name) values (1, 'create_schema'), (2, 'letters_beyond_ascii')`
})

describe("A database with the schema of an unreleased version", () => {
  it.live("is neither migrated nor waited for, and stays as it is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migratedBefore
      for (const start of [migrate(), awaitMigrations()]) {
        const refused = yield* Effect.flip(start)
        assert.strictEqual(refused._tag, "SchemaUnreleased")
        assert.strictEqual(refused.message, TOLD)
      }
      assert.deepStrictEqual(
        yield* sql`select max(migration_id) as last, to_regclass('tokens') as tokens from schema_migrations`,
        [{ last: 2, tokens: null }],
      )
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live("ends the command that migrates with 1 and one sentence", () =>
    Effect.gen(function* () {
      const name = yield* TestDatabase.empty
      yield* Effect.provide(migratedBefore, TestDatabase.connectionsTo(name))
      const DATABASE_URL = `postgres://${inject("postgresUsername")}@localhost/${name}?host=${inject("postgresSockets")}`
      const ended = yield* Effect.promise(
        () =>
          new Promise((resolve) => {
            const env = { PATH: process.env.PATH, DATABASE_URL }
            execFile(process.execPath, [join(MIGRATIONS_FOLDER, "src/main.ts")], { env }, (error, stdout, stderr) =>
              resolve({ code: error?.code ?? 0, stdout, stderr }),
            )
          }),
      )
      assert.deepStrictEqual(ended, { code: 1, stdout: "", stderr: `${TOLD}\n` })
    }).pipe(Effect.scoped),
  )
})
