import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { awaitMigrations } from "../src/AwaitMigrations.ts"
import { migrate } from "../src/Migrate.ts"
import * as TestDatabase from "../src/TestDatabase.ts"

const TOLD =
  "The database has the schema of an unreleased version, which cannot be migrated: export what you need from it, and start " +
  "with an empty database, or in local mode delete the data folder"

describe("A database with the schema of an unreleased version", () => {
  it.live("is neither migrated nor waited for, and stays as it is", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      // As a version before the first release left it.
      yield* sql`
        create table schema_migrations (
          migration_id integer primary key, created_at timestamptz not null default now(), name text not null)`
      yield* sql`
        insert into schema_migrations (migration_id, name) values (1, 'create_schema'), (2, 'letters_beyond_ascii')`
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
})
