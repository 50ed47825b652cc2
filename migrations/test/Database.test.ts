import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "@launch-registry/postgres/Database"
import { TestDoor } from "../src/TestDoor.ts"

const QUIET = Logger.layer([])

const one = Effect.flatMap(SqlClient, (sql) => sql<{ readonly one: number }>`select 1 as one`)

const faultOf = (exit: Exit.Exit<unknown, unknown>) =>
  String(Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined)

describe("The database", () => {
  for (const [state, what] of [
    ["", "does not answer yet"],
    ["57P03", "starts"],
    ["53300", "has no connection left"],
    ["57P01", "stops"],
    ["08006", "has lost its connections"],
  ] as const)
    it.live(`is retried when it ${what}`, () =>
      Effect.gen(function* () {
        const door = yield* TestDoor.make
        door.refusals = 1
        door.shut(state)
        const rows = yield* one.pipe(Effect.provide(Database.layer(door.addressOf("postgres"))))
        assert.deepStrictEqual(rows, [{ one: 1 }])
        assert.strictEqual(door.refused, 1)
      }).pipe(Effect.scoped, Effect.provide(QUIET)),
    )

  it.live("is retried for as long as it is starting up, and only up to the time limit when nothing listens", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      const impatient = Database.layer(door.addressOf("postgres"), 0)
      door.refusals = 2
      door.shut("57P03")
      assert.lengthOf(yield* one.pipe(Effect.provide(impatient)), 1)
      door.shut("")
      const exit = yield* Effect.exit(one.pipe(Effect.provide(impatient)))
      assert.match(faultOf(exit), /^DatabaseUnusable: The database cannot be used: \S.*$/)
    }).pipe(Effect.scoped, Effect.provide(QUIET)),
  )

  for (const [database, user, reason] of [
    ["postgres", "nobody-known", /role "nobody-known" does not exist/],
    ["not-there", undefined, /database "not-there" does not exist/],
  ] as const)
    it.live(`is not retried when it rejects the login, and the error has the reason: ${reason.source}`, () =>
      Effect.gen(function* () {
        const door = yield* TestDoor.make
        const exit = yield* Effect.exit(one.pipe(Effect.provide(Database.layer(door.addressOf(database, user)))))
        assert.match(faultOf(exit), /The database cannot be used: /)
        assert.match(faultOf(exit), reason)
      }).pipe(Effect.scoped, Effect.provide(QUIET)),
    )

  for (const [state, what] of [
    ["08P01", "a pooler that takes no statement_timeout"],
    ["57P04", "a database that was dropped"],
  ] as const)
    it.live(`is not retried behind ${what}`, () =>
      Effect.gen(function* () {
        const door = yield* TestDoor.make
        // The second attempt would be accepted.
        door.refusals = 1
        door.shut(state)
        const exit = yield* Effect.exit(one.pipe(Effect.provide(Database.layer(door.addressOf("postgres")))))
        assert.match(faultOf(exit), /The database cannot be used: the door is shut/)
      }).pipe(Effect.scoped, Effect.provide(QUIET)),
    )

  for (const [state, what] of [
    ["08006", "has lost its connections"],
    ["25006", "only reads"],
    ["57014", "is too slow"],
  ] as const)
    it.live(`is retried only up to the time limit when it ${what}`, () =>
      Effect.gen(function* () {
        const door = yield* TestDoor.make
        door.refusals = 3
        door.shut(state)
        const exit = yield* Effect.exit(one.pipe(Effect.provide(Database.layer(door.addressOf("postgres"), 0))))
        assert.match(faultOf(exit), /The database cannot be used: the door is shut/)
        assert.strictEqual(door.refused, 1)
      }).pipe(Effect.scoped, Effect.provide(QUIET)),
    )

  it.live("is not retried when the connection string is invalid, and the error contains nothing of the string", () =>
    Effect.gen(function* () {
      for (const url of [
        "CANARY",
        "postgres://somebody:CAN%zzARY@127.0.0.1:9/registry",
        "postgres://db/?port=CANARY",
      ]) {
        const exit = yield* Effect.exit(one.pipe(Effect.provide(Database.layer({ url: Redacted.make(url) }))))
        assert.match(faultOf(exit), /^DatabaseUnusable: The database cannot be used: its URL: Invalid [a-z -]+$/i)
        assert.notInclude(faultOf(exit), "CANARY")
      }
    }).pipe(Effect.provide(QUIET)),
  )

  it.live("is not retried when the password is wrong", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      door.shut("28P01")
      const exit = yield* Effect.exit(one.pipe(Effect.provide(Database.layer(door.addressOf("postgres")))))
      assert.match(faultOf(exit), /The database cannot be used: the door is shut/)
      assert.strictEqual(door.refused, 1)
    }).pipe(Effect.scoped, Effect.provide(QUIET)),
  )
})
