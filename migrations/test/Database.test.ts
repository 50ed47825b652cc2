import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "@launch-registry/postgres/Database"
import { TestDoor } from "../src/TestDoor.ts"

const one = Effect.flatMap(SqlClient, (sql) => sql<{ readonly one: number }>`select 1 as one`)

/** Why the database cannot be used. */
const faultOf = (database: ReturnType<typeof Database.layer>) =>
  Effect.map(Effect.exit(Effect.provide(one, database)), (exit) =>
    String(Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined),
  )

/** A door that is shut in this way for so many attempts. */
const shutDoor = (state: string, refusals: number) =>
  Effect.map(TestDoor.make, (door) => {
    door.refusals = refusals
    door.shut(state)
    return door
  })

const SHUT = "DatabaseUnusable: The database cannot be used: the door is shut"

describe("The database", () => {
  it.live.each([
    ["", "does not answer yet"],
    ["57P03", "starts"],
    ["53300", "has no connection left"],
    ["57P01", "stops"],
    ["08006", "has lost its connections"],
  ] as const)("is retried: %s, it %s", ([state]) =>
    Effect.gen(function* () {
      const door = yield* shutDoor(state, 1)
      assert.deepStrictEqual(yield* Effect.provide(one, Database.layer(door.addressOf("postgres"))), [{ one: 1 }])
      assert.strictEqual(door.refused, 1)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )

  it.live("is retried for as long as it is starting up, and only up to the time limit when nothing listens", () =>
    Effect.gen(function* () {
      const door = yield* shutDoor("57P03", 2)
      const impatient = Database.layer(door.addressOf("postgres"), 0)
      assert.lengthOf(yield* Effect.provide(one, impatient), 1)
      door.shut("")
      assert.match(yield* faultOf(impatient), /^DatabaseUnusable: The database cannot be used: \S.*$/)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )

  it.live.each([
    ["08P01", "behind a pooler that takes no statement_timeout", undefined],
    ["57P04", "when it was dropped", undefined],
    ["28P01", "when the password is wrong", undefined],
    ["08006", "beyond the time limit when it has lost its connections", 0],
    ["25006", "beyond the time limit when it only reads", 0],
    ["57014", "beyond the time limit when it is too slow", 0],
  ] as const)("is not retried: %s, %s", ([state, , millisMax]) =>
    Effect.gen(function* () {
      // Another attempt would be accepted.
      const door = yield* shutDoor(state, 2)
      assert.strictEqual(yield* faultOf(Database.layer(door.addressOf("postgres"), millisMax)), SHUT)
      assert.strictEqual(door.refused, 1)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )

  it.live("is not retried when it rejects the login, and the error has the reason", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      for (const [database, user, reason] of [
        ["postgres", "nobody-known", /cannot be used: role "nobody-known" does not exist/],
        ["not-there", undefined, /cannot be used: database "not-there" does not exist/],
      ] as const)
        assert.match(yield* faultOf(Database.layer(door.addressOf(database, user))), reason)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )

  it.live("is named by nothing of its URL, neither when that is invalid nor when nothing listens there", () =>
    Effect.gen(function* () {
      for (const [url, reason] of [
        ["CANARY", /its URL: Invalid [a-z -]+$/i],
        ["postgres://somebody:CAN%zzARY@127.0.0.1:9/registry", /its URL: Invalid [a-z -]+$/i],
        ["postgres://db/?port=CANARY", /its URL: Invalid [a-z -]+$/i],
        ["postgres://user:CANARY@127.0.0.1:9/registry", /./],
      ] as const) {
        const fault = yield* faultOf(Database.layer({ url: Redacted.make(url) }, 0))
        assert.match(fault, /^DatabaseUnusable: The database cannot be used: /)
        assert.match(fault, reason)
        assert.notInclude(fault, "CANARY")
      }
    }).pipe(Effect.provide(Logger.layer([]))),
  )
})
