import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Logger, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "@launch-registry/postgres/Database"
import { describeSchema } from "../src/DescribeSchema.ts"
import { migrate } from "../src/Migrate.ts"
import { MIGRATION_FILES, MIGRATIONS_FOLDER } from "../src/Migrations.ts"
import * as TestDatabase from "../src/TestDatabase.ts"
import { TestDoor } from "../src/TestDoor.ts"
import { withLater } from "./LaterMigrations.ts"

const ALL = MIGRATION_FILES.length

/** Where the database stops, as shares of all pieces that a start sends to it. */
const SHARES = [0.05, 0.5, 0.95]

const read = (file: string) => readFileSync(join(MIGRATIONS_FOLDER, file), "utf8")

/** Two that lock tables, the second of them with more than one statement. */
const LATER = [
  "alter table tokens add column later integer;",
  "alter table trading_windows add column later integer;\ncreate index later on trading_windows (later);",
] as const

/** The schema after these migrations, of a database whose start was undisturbed. */
const schemaOf = (wanted = withLater()) =>
  Effect.andThen(migrate(wanted), describeSchema).pipe(Effect.provide(TestDatabase.layerEmpty))

describe("Migrations", () => {
  it("are numbered without gaps, because the migrator skips lower numbers", () => {
    assert.deepStrictEqual(
      MIGRATION_FILES.map((name) => Number(name.slice(0, 4))),
      MIGRATION_FILES.map((_, index) => index + 1),
    )
  })

  it.live("bring an empty database to the schema; a second run applies nothing", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      assert.lengthOf(yield* migrate(), ALL)
      const tables = yield* sql<{ readonly name: string }>`
        select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'schema_migrations'`
      const written = [
        ...MIGRATION_FILES.map(read)
          .join("\n")
          .matchAll(/^create (?:unlogged )?table (\w+)/gm),
      ]
      assert.sameMembers(
        tables.map(({ name }) => name),
        written.map(([, name]) => name!),
      )
      assert.deepStrictEqual(yield* sql`select next_offset from inbox_head`, [{ nextOffset: 1n }])
      const schema = yield* describeSchema
      assert.lengthOf(yield* migrate(), 0)
      assert.strictEqual(yield* describeSchema, schema)
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live(
    "are each applied once when eight replicas start at the same time, on an empty database and on one in use",
    () =>
      Effect.gen(function* () {
        const applied = (wanted = withLater()) =>
          Effect.map(
            Effect.all(
              Array.from({ length: 8 }, () => migrate(wanted)),
              { concurrency: 8 },
            ),
            (runs) => runs.flatMap((run) => run.map(([id]) => id)).sort((a, b) => a - b),
          )
        assert.lengthOf(yield* applied(), ALL)
        assert.deepStrictEqual(yield* applied(withLater(...LATER)), [ALL + 1, ALL + 2])
        assert.strictEqual(yield* describeSchema, yield* schemaOf(withLater(...LATER)))
      }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live("wait for whoever reads, however long that takes", () =>
    Effect.gen(function* () {
      const limits: Array<string> = []
      const look = Effect.gen(function* () {
        const sql = yield* SqlClient
        const [row] = yield* sql<{ readonly limit: string }>`select current_setting('statement_timeout') as "limit"`
        limits.push(row!.limit)
      })
      const looking = (count: number) =>
        Effect.succeed(Array.from({ length: count }, (_, index) => [index + 1, "look", Effect.succeed(look)] as const))
      yield* migrate(looking(1))
      yield* migrate(looking(3))
      assert.deepStrictEqual(limits, ["0", "0", "0"])
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live("of a database in use are each committed before the next waits for a table", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate()
      const isWaiting = Effect.map(
        sql`select from pg_locks where relation = 'trading_windows'::regclass and not granted`,
        ({ length }) => length > 0,
      )
      const hasRead = yield* Deferred.make<void>()
      // The first locks the tokens, the second the windows: a reader has them in the other order.
      const [applied] = yield* Effect.all(
        [
          Effect.andThen(Deferred.await(hasRead), migrate(withLater(...LATER))),
          Effect.gen(function* () {
            yield* sql`select from trading_windows limit 1`
            yield* Deferred.succeed(hasRead, undefined)
            yield* Effect.repeat(isWaiting, { until: (waits) => waits, schedule: Schedule.spaced(20) })
            yield* sql`lock table tokens in access share mode nowait`
          }).pipe(sql.withTransaction),
        ],
        { concurrency: 2 },
      )
      assert.lengthOf(applied, LATER.length)
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live.each([
    ["an empty database", false],
    ["a database in use", true],
  ] as const)("are applied to %s even if it restarts at any point meanwhile", ([, isInUse]) =>
    Effect.gen(function* () {
      const expected = yield* schemaOf(withLater(...LATER))
      /** Through a proxy that refuses connections after so many pieces; returns the number of all pieces. */
      const migrateThrough = Effect.fn(function* (shutsAt: number) {
        const door = yield* TestDoor.make
        const name = yield* isInUse ? TestDatabase.migrated : TestDatabase.empty
        return yield* Effect.gen(function* () {
          door.passed = 0
          Object.assign(door, { shutsAt, refusals: 1 })
          yield* migrate(withLater(...LATER))
          const { passed, refused } = door
          door.shutsAt = Number.POSITIVE_INFINITY
          assert.strictEqual(yield* describeSchema, expected)
          return { passed, refused }
        }).pipe(Effect.provide(Database.layer(door.addressOf(name))))
      }, Effect.scoped)
      const { passed } = yield* migrateThrough(Number.POSITIVE_INFINITY)
      for (const share of SHARES) {
        const { refused } = yield* migrateThrough(Math.ceil(passed * share))
        assert.isAtLeast(refused, 1)
      }
    }).pipe(Effect.provide(Logger.layer([]))),
  )

  it.live("fail with the reason and are not retried when a migration is wrong, and leave nothing of it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const wrong = "create table half (id integer);\nselect * from nowhere;"
      const told = yield* Effect.flip(migrate(withLater(wrong)))
      assert.match(
        told.message,
        /^The database cannot be used: Migration "\d+_later_1" failed: relation "nowhere" does not/,
      )
      assert.deepStrictEqual(yield* sql`select to_regclass('half') as half, to_regclass('tokens') as tokens`, [
        { half: null, tokens: null },
      ])
      // It would fail the next time as well.
      const slow = "do $$ begin raise exception using errcode = '57014'; end $$"
      assert.match((yield* Effect.flip(migrate(withLater(slow)))).message, /Migration "\d+_later_1" failed/)
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it("that were released never change", () => {
    const released: Readonly<Record<string, string>> = JSON.parse(read("released.json"))
    for (const [file, hash] of Object.entries(released))
      assert.strictEqual(
        createHash("sha256").update(read(file)).digest("hex"),
        hash,
        `${file} was released: write a new migration`,
      )
  })
})
