import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Logger, Schedule } from "effect"
import type * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "@launch-registry/postgres/Database"
import { describeSchema } from "../src/DescribeSchema.ts"
import { migrate } from "../src/Migrate.ts"
import { firstMigrations, MIGRATION_FILES, MIGRATIONS_FOLDER } from "../src/Migrations.ts"
import * as TestDatabase from "../src/TestDatabase.ts"
import { TestDoor } from "../src/TestDoor.ts"

const FILES = readdirSync(MIGRATIONS_FOLDER)
  .filter((name) => /^\d{4}_\w+\.ts$/.test(name))
  .sort()

/** Where the database stops, as shares of all bytes that a start sends to it. */
const SHARES = [0.05, 0.5, 0.95]

const committedSchema = () => readFileSync(join(MIGRATIONS_FOLDER, "_schema.sql"), "utf8")

describe("Migrations", () => {
  it("are all listed: a bundle has only those", () => {
    assert.deepStrictEqual(MIGRATION_FILES, FILES)
  })

  it("are numbered without gaps, because the migrator skips lower numbers", () => {
    assert.deepStrictEqual(
      FILES.map((name) => Number(name.slice(0, 4))),
      FILES.map((_, index) => index + 1),
    )
  })

  it.live("bring an empty database to the committed schema; a second run applies nothing", () =>
    Effect.gen(function* () {
      assert.lengthOf(yield* migrate(), FILES.length)
      assert.strictEqual(yield* describeSchema, committedSchema())
      assert.lengthOf(yield* migrate(), 0)
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live("are applied once when eight replicas start at the same time, and none of them fails", () =>
    Effect.gen(function* () {
      const runs = yield* Effect.all(
        Array.from({ length: 8 }, () => migrate()),
        { concurrency: 8 },
      )
      assert.deepStrictEqual(runs.map(({ length }) => length).sort(), [0, 0, 0, 0, 0, 0, 0, FILES.length])
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live("are each applied once when eight replicas bring a database in use to this version", () =>
    Effect.gen(function* () {
      yield* migrate(firstMigrations(40))
      const runs = yield* Effect.all(
        Array.from({ length: 8 }, () => migrate()),
        { concurrency: 8 },
      )
      const ids = runs.flat().map(([id]) => id)
      assert.deepStrictEqual(
        ids.toSorted((a, b) => a - b),
        FILES.slice(40).map((_, index) => 41 + index),
      )
      assert.strictEqual(yield* describeSchema, committedSchema())
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
      yield* migrate(firstMigrations(46))
      const isWaiting = Effect.map(
        sql`select from pg_locks where relation = 'trading_windows'::regclass and not granted`,
        ({ length }) => length > 0,
      )
      const hasRead = yield* Deferred.make<void>()
      // 0047 locks the tokens, 0048 the windows: a reader has them in the other order.
      const [applied] = yield* Effect.all(
        [
          Effect.andThen(Deferred.await(hasRead), migrate()),
          Effect.gen(function* () {
            yield* sql`select from trading_windows limit 1`
            yield* Deferred.succeed(hasRead, undefined)
            yield* Effect.repeat(isWaiting, { until: (waits) => waits, schedule: Schedule.spaced(20) })
            yield* sql`lock table tokens in access share mode nowait`
          }).pipe(sql.withTransaction),
        ],
        { concurrency: 2 },
      )
      assert.lengthOf(applied, FILES.length - 46)
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live("are applied even if the database restarts at any point meanwhile", () =>
    Effect.gen(function* () {
      /** Through a proxy that refuses connections after so many bytes; returns the total number of bytes. */
      const migrateThrough = Effect.fn(function* (shutsAt: number, inUse: number) {
        const door = yield* TestDoor.make
        const database = Database.layer(door.addressOf(yield* TestDatabase.empty))
        if (inUse > 0) yield* Effect.provide(migrate(firstMigrations(inUse)), database)
        door.passed = 0
        Object.assign(door, { shutsAt, refusals: 1 })
        return yield* Effect.gen(function* () {
          yield* migrate()
          const { passed } = door
          door.shutsAt = Number.POSITIVE_INFINITY
          assert.strictEqual(yield* describeSchema, committedSchema())
          return { passed, refused: door.refused }
        }).pipe(Effect.provide(database))
      }, Effect.scoped)
      for (const inUse of [0, 40]) {
        const { passed } = yield* migrateThrough(Number.POSITIVE_INFINITY, inUse)
        for (const share of SHARES) {
          const { refused } = yield* migrateThrough(Math.ceil(passed * share), inUse)
          assert.isAtLeast(refused, 1)
        }
      }
    }).pipe(Effect.provide(Logger.layer([]))),
  )

  it.live("fail with the reason and are not retried when a migration is wrong", () =>
    Effect.gen(function* () {
      const after = (name: string, statement: string) =>
        Effect.gen(function* () {
          const [first] = yield* firstMigrations(1)
          const wrong = Effect.flatMap(SqlClient, (sql) => sql.unsafe(statement))
          return [first!, [2, name, Effect.succeed(wrong)]] satisfies ReadonlyArray<Migrator.ResolvedMigration>
        })
      const told = yield* Effect.flip(migrate(after("wrong", "select * from nowhere")))
      assert.match(
        told.message,
        /^The database cannot be used: Migration "2_wrong" failed: relation "nowhere" does not/,
      )
      // It would fail the next time as well.
      const slow = after("slow", "do $$ begin raise exception using errcode = '57014'; end $$")
      assert.match((yield* Effect.flip(migrate(slow))).message, /Migration "2_slow" failed/)
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live("end with the same schema from every earlier state", () =>
    Effect.forEach(FILES.slice(0, -1), (_, index) =>
      Effect.gen(function* () {
        yield* migrate(firstMigrations(index + 1))
        yield* migrate()
        assert.strictEqual(yield* describeSchema, committedSchema())
      }).pipe(Effect.provide(TestDatabase.layerEmpty)),
    ),
  )

  it.live("number what was launched or traded, in the order of the launches", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate(firstMigrations(FILES.findIndex((name) => name.endsWith("_create_mint_numbers.ts"))))
      const pool = (name: string, slot: number) => sql`
        insert into dbc_pools (pool, base_mint, quote_mint, config, creator, name, symbol, uri, pool_type, activation_point, created_slot, created_at)
        values (${`${name} ${slot}`}, ${name}, '', '', '', '', '', '', 0, 0, ${slot}, now())`
      yield* pool("second", 3)
      yield* pool("first", 2)
      yield* pool("second", 8)
      yield* pool("never traded", 4)
      for (const [span, mint] of [
        ["5m", "second"],
        ["1h", "second"],
        ["1h", "older than the index"],
        ["5m", "first"],
      ])
        yield* sql`
          insert into trading_windows (span, base_mint, traders, trades, quote_volume) values (${span}, ${mint}, 1, 1, 1)`
      yield* migrate()
      const numbered = yield* sql<{ readonly baseMint: string }>`select base_mint from mint_numbers order by number`
      assert.deepStrictEqual(
        numbered.map(({ baseMint }) => baseMint),
        ["older than the index", "first", "second", "never traded"],
      )
      const [windows] = yield* sql`
        select count(*)::int as windows, count(*) filter (where mint_number = number)::int as numbered
        from trading_windows join mint_numbers using (base_mint)`
      assert.deepStrictEqual(windows, { windows: 4, numbered: 4 })
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live("set decimals on existing records: those of the swap, or 0 for whole tokens", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* migrate(firstMigrations(FILES.findIndex((name) => name.endsWith("_end_records.ts"))))
      const [swap, trade] = ["00000000-0000-7000-8000-000000000001", "00000000-0000-7000-8000-000000000002"]
      yield* sql`
        insert into bridge_swaps (id, user_address, origin_asset, destination_asset, origin_chain, destination_chain,
          origin_decimals, destination_decimals, swap_type, recipient, recipient_type, refund_to, slippage_tolerance,
          app_fees, has_api_key, deposit_address, deposit_by, inactive_at, time_estimate_seconds, amount_in, amount_out,
          min_amount_in, min_amount_out, signed_quote, status, substatus, created_at, updated_at, progressed_at)
        values (${swap}, '', '', '', '', '', 9, 18, 'EXACT_INPUT', '', 'INTENTS', '', 0, '[]', false, '', now(), now(), 0,
          1, 1, 1, 1, '', 'pending', '', now(), now(), now())`
      for (const [id, action] of [
        [swap, "BRIDGE"],
        [trade, "BUY"],
      ])
        yield* sql`
          insert into transactions (id, user_address, tx_hash, action, base_token, quote_token, amount_in, amount_out,
            price_per_token, slippage_bps, fee, fee_token, status, chain, pool_address, created_at, updated_at)
          values (${id}, '', '', ${action}, '', '', 1, 1, 1, 0, 0, '', 'pending', '', '', now(), now())`
      yield* migrate()
      assert.deepStrictEqual(
        yield* sql`
          select amount_in_decimals as sent, amount_out_decimals as received, fee_decimals as fee
          from transactions order by id`,
        [
          { sent: 9, received: 18, fee: 9 },
          { sent: 0, received: 0, fee: 0 },
        ],
      )
    }).pipe(Effect.scoped, Effect.provide(TestDatabase.layerEmpty)),
  )

  it("that were released never change", () => {
    const released: Readonly<Record<string, string>> = JSON.parse(
      readFileSync(join(MIGRATIONS_FOLDER, "released.json"), "utf8"),
    )
    for (const [file, hash] of Object.entries(released)) {
      const content = readFileSync(join(MIGRATIONS_FOLDER, file))
      assert.strictEqual(
        createHash("sha256").update(content).digest("hex"),
        hash,
        `${file} was released: write a new migration`,
      )
    }
  })
})
