import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Logger, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "@launch-registry/postgres/Database"
import { isDatabaseAway } from "@launch-registry/postgres/DatabaseAway"
import { TestDoor } from "../src/TestDoor.ts"

const SILENCE = { everyMillis: 20, silenceMillis: 300 }

describe("A database that stops answering", () => {
  it.live("fails pending statements and connection attempts as unreachable, and is used again once it answers", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        const asked = sql`select 1 as one`
        // On a busy machine the server may seem silent before it is.
        yield* Effect.retry(asked, Schedule.spaced(20))
        door.mute()
        // More transactions than there are connections.
        const waiting = [...Array.from({ length: 15 }, () => sql.withTransaction(asked)), asked, asked]
        const exits = yield* Effect.forEach(
          waiting,
          (one) => Effect.match(one, { onFailure: isDatabaseAway, onSuccess: () => "answered" }),
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual(
          exits,
          Array.from(waiting, () => true),
        )
        door.speak()
        const rows = yield* Effect.retry(sql.withTransaction(asked), Schedule.spaced(20))
        assert.deepStrictEqual(rows, [{ one: 1 }])
      }).pipe(Effect.provide(Database.layer(door.addressOf("postgres"), undefined, SILENCE)))
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )

  it.live("is not mistaken for one that runs a long statement", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      const takes = (silenceMillis: number) =>
        Effect.flatMap(SqlClient, (sql) => sql`select pg_sleep(${(2 * silenceMillis) / 1_000}::double precision)`).pipe(
          Effect.provide(Database.layer(door.addressOf("postgres"), undefined, { everyMillis: 20, silenceMillis })),
        )
      // A busy machine may need longer than half a second.
      const exit = yield* Effect.exit(Effect.firstSuccessOf([500, 2_000, 8_000].map(takes)))
      assert.isTrue(Exit.isSuccess(exit))
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )
})
