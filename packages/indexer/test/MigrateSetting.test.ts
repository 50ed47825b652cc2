import { migrate } from "@launch-registry/migrations/Migrate"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Console, Effect, Fiber, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { inject } from "vitest"
import { runCommand } from "../src/command/RunCommand.ts"

const cordons = runCommand({ name: "cordons" })

describe("A command with MIGRATE=false", () => {
  it.live("waits until another process has migrated", () =>
    Effect.gen(function* () {
      const name = yield* TestDatabase.empty
      const url = `postgres://${inject("postgresUsername")}@localhost/${name}?host=${inject("postgresSockets")}`
      const [logged, printed]: ReadonlyArray<Array<string>> = [[], []]
      const with_ = (migrating: string) =>
        cordons.pipe(
          Effect.provide(
            ConfigProvider.layer(ConfigProvider.fromEnv({ env: { DATABASE_URL: url, MIGRATE: migrating } })),
          ),
          Effect.provide(Logger.layer([Logger.make(({ message }) => void logged!.push([message].flat().join(" ")))])),
          Effect.provideService(Console.Console, {
            ...globalThis.console,
            log: (line: string) => void printed!.push(line),
          }),
        )
      const waiting = yield* Effect.forkChild(with_("false"))
      while (logged!.length === 0 && waiting.pollUnsafe() === undefined) yield* Effect.sleep(10)
      assert.include(logged!.join(), "lacks migrations that this version needs: 0001_create_schema")
      yield* Effect.gen(function* () {
        const sql = yield* SqlClient
        assert.deepStrictEqual(yield* sql`select to_regclass('tokens') as tokens`, [{ tokens: null }])
        yield* migrate()
      }).pipe(Effect.provide(TestDatabase.connectionsTo(name)))
      yield* Fiber.join(waiting)
      assert.deepStrictEqual(printed, ["No RPC endpoint is cordoned"])
      assert.include(String(yield* Effect.flip(with_("no"))), "MIGRATE has to be true or false")
    }).pipe(Effect.scoped),
  )
})
