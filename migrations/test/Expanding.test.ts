import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { migrate } from "../src/Migrate.ts"
import { MIGRATION_FILES, migrations } from "../src/Migrations.ts"
import * as TestDatabase from "../src/TestDatabase.ts"
import { expansionFaults, schemaFacts } from "./SchemaFacts.ts"

/** Migrations that remove what no supported version uses any more, with the version that stopped using it. */
const CONTRACTING: Readonly<Record<string, string>> = {}

/** The first migrations up to this one. */
const firstMigrations = (count: number) => Effect.map(migrations, (all) => all.slice(0, count))

describe("A migration", () => {
  it.live("after the first leaves everything that the version before it reads and writes", () =>
    Effect.gen(function* () {
      yield* migrate(firstMigrations(1))
      for (const [index, file] of MIGRATION_FILES.entries()) {
        const before = yield* schemaFacts
        yield* migrate(firstMigrations(index + 1))
        if (CONTRACTING[file] === undefined)
          assert.deepStrictEqual(expansionFaults(before, yield* schemaFacts), [], file)
      }
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live.each([
    ["drop table token_whitelist", "table token_whitelist is gone"],
    ["alter table tokens rename to coins", "table tokens is gone"],
    ["alter table tokens drop column website", "column tokens.website is gone"],
    ["alter table tokens rename column website to site", "column tokens.website is gone"],
    ["alter table tokens alter column name type varchar(20)", "column tokens.name has another type"],
    ["alter table tokens alter column pool set not null", "column tokens.pool is not null now"],
    ["alter table tokens alter column website drop default", "column tokens.website has no default any more"],
    [
      "alter table tokens add column size integer not null",
      "column tokens.size is new, not null and without a default",
    ],
    ["alter table tokens add check (decimals < 10)", "constraint tokens.tokens_decimals_check1 is new"],
    ["create unique index one_name on tokens (name)", "unique index tokens.one_name is new"],
    ["drop index tokens_mint_address", "unique index tokens.tokens_mint_address is gone"],
  ] as const)("that does more is found: %s", ([statement, fault]) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const before = yield* schemaFacts
      yield* sql.unsafe(statement)
      assert.include(expansionFaults(before, yield* schemaFacts), fault)
    }).pipe(Effect.provide(TestDatabase.layer)),
  )

  it.live("may add tables, columns and indexes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const before = yield* schemaFacts
      yield* sql`create table another (id integer primary key, name text not null)`
      yield* sql`alter table tokens add column size integer, add column kind text not null default 'fungible'`
      yield* sql`alter table tokens add check (size > 0 and kind <> '')`
      yield* sql`create index tokens_size on tokens (size)`
      yield* sql`alter table tokens alter column total_supply drop not null`
      assert.deepStrictEqual(expansionFaults(before, yield* schemaFacts), [])
    }).pipe(Effect.provide(TestDatabase.layer)),
  )
})
