import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Logger } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "@launch-registry/postgres/Database"
import { awaitMigrations } from "../src/AwaitMigrations.ts"
import { migrate } from "../src/Migrate.ts"
import { MIGRATION_FILES } from "../src/Migrations.ts"
import * as TestDatabase from "../src/TestDatabase.ts"
import { TestDoor } from "../src/TestDoor.ts"
import { withLater } from "./LaterMigrations.ts"

/** The name of one after the migrations that there are. */
const later = (index: number) => `${String(MIGRATION_FILES.length + index).padStart(4, "0")}_later_${index}`

/** A logger, and what it was told. */
const recorded = () => {
  const lines: Array<string> = []
  const logger = Logger.make<unknown, void>(({ message }) => void lines.push([message].flat().map(String).join(" ")))
  return { lines, layer: Logger.layer([logger]) }
}

const saidOf = (lines: ReadonlyArray<string>, what: string) =>
  Effect.promise(async () => {
    while (!lines.some((line) => line.includes(what))) await new Promise((resolve) => setTimeout(resolve, 10))
  })

describe("A start that does not migrate", () => {
  it.live("waits until another process has migrated, and says once what is missing", () =>
    Effect.gen(function* () {
      const { layer, lines } = recorded()
      const waiting = yield* Effect.forkChild(Effect.provide(awaitMigrations(), layer))
      yield* saidOf(lines, "lacks migrations that this version needs: 0001_create_schema")
      assert.isUndefined(waiting.pollUnsafe())
      yield* migrate()
      yield* Fiber.join(waiting)
      assert.lengthOf(lines, 1)
    }).pipe(Effect.provide(TestDatabase.layerEmpty)),
  )

  it.live("names what is missing alone: five of them, and how many others", () =>
    Effect.gen(function* () {
      const { layer, lines } = recorded()
      const wanted = withLater(...Array.from({ length: 7 }, () => "select 1"))
      const waiting = yield* Effect.forkChild(Effect.provide(awaitMigrations(wanted), layer))
      yield* saidOf(lines, `needs: ${[1, 2, 3, 4, 5].map(later).join(", ")} and 2 more. Waiting`)
      yield* migrate(wanted)
      yield* Fiber.join(waiting)
    }).pipe(Effect.provide(TestDatabase.layer)),
  )

  it.live("accepts a schema that is newer than it is, and so does one that migrates", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const { layer, lines } = recorded()
      yield* sql`insert into schema_migrations (migration_id, name) values (9999, 'of_a_later_version')`
      yield* Effect.provide(awaitMigrations(), layer)
      assert.lengthOf(lines, 0)
      assert.lengthOf(yield* migrate(), 0)
    }).pipe(Effect.provide(TestDatabase.layer)),
  )

  it.live("goes on waiting after a database that stopped meanwhile", () =>
    Effect.gen(function* () {
      const { layer, lines } = recorded()
      const door = yield* TestDoor.make
      const database = yield* TestDatabase.empty
      yield* Effect.gen(function* () {
        const waiting = yield* Effect.forkChild(Effect.provide(awaitMigrations(), layer))
        yield* saidOf(lines, "lacks migrations")
        door.shut("57P03")
        yield* saidOf(lines, "not available yet")
        door.open()
        yield* migrate()
        yield* Fiber.join(waiting)
      }).pipe(Effect.provide(Database.layer(door.addressOf(database))))
    }).pipe(Effect.scoped),
  )
})
