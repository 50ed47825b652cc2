import { assert, describe, it } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Logger, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CommitNotices, notifying } from "@launch-registry/postgres/CommitNotices"
import * as Database from "@launch-registry/postgres/Database"
import { TestDoor } from "../src/TestDoor.ts"

/** No test waits for so long: who is woken was notified. */
const NEVER_MILLIS = 600_000

const tell = Effect.flatMap(SqlClient, (sql) => sql`select ${notifying(sql, "log")}`)

/** A process that reaches the database through a door, with a wait that has noticed all that was committed so far. */
const followerBehind = Effect.fnUntraced(function* (door: TestDoor, pollMillis = NEVER_MILLIS) {
  const services = yield* Layer.build(Database.layer(door.addressOf("postgres")))
  const notices = Context.get(services, CommitNotices)
  const committed = notices.follow("log", pollMillis)
  const other = notices.follow("changes", pollMillis)
  // The first ends at once, the second when listening has begun.
  for (const wait of [committed, other, committed, other]) yield* wait
  return { committed, notices, other }
})

describe("Who follows commits", () => {
  it.live("is woken by those of another process, once they are committed, and by none of another topic", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      const { committed, other } = yield* followerBehind(door)
      const writer = yield* Layer.build(Database.layer(door.addressOf("postgres")))
      const sql = Context.get(writer, SqlClient)
      const isTold = yield* Deferred.make<void>()
      const mayCommit = yield* Deferred.make<void>()
      const waiting = yield* Effect.forkChild(committed)
      const unconcerned = yield* Effect.forkChild(other)
      const writing = yield* tell.pipe(
        Effect.andThen(Deferred.succeed(isTold, undefined)),
        Effect.andThen(Deferred.await(mayCommit)),
        sql.withTransaction,
        Effect.provide(writer),
        Effect.forkChild,
      )
      yield* Deferred.await(isTold)
      yield* Effect.provide(sql`select 1`, writer)
      assert.isUndefined(waiting.pollUnsafe())
      yield* Deferred.succeed(mayCommit, undefined)
      yield* Fiber.join(writing)
      yield* Fiber.join(waiting)
      assert.isUndefined(unconcerned.pollUnsafe())
      yield* Fiber.interrupt(unconcerned)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )

  it.live("does not wait for what was committed between two waits", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      const { committed, other } = yield* followerBehind(door)
      const sql = Context.get(yield* Layer.build(Database.layer(door.addressOf("postgres"))), SqlClient)
      yield* sql`select ${notifying(sql, "log")}, ${notifying(sql, "changes")}`
      yield* other
      yield* committed
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )

  it.live("looks at once when it comes later", () =>
    Effect.gen(function* () {
      const { notices } = yield* followerBehind(yield* TestDoor.make)
      yield* notices.follow("log", NEVER_MILLIS)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )

  it.live("is woken when its connection has ended, and again when there is a new one", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      const { committed } = yield* followerBehind(door)
      door.shut("")
      yield* committed
      door.open()
      yield* committed
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )

  it.live("looks by itself behind a pooler, which has no LISTEN", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      const url = `${Redacted.value(door.addressOf("postgres").url)}?pgbouncer=true`
      const services = yield* Layer.build(Database.layer({ url: Redacted.make(url) }))
      yield* Context.get(services, CommitNotices).follow("log", 10)
    }).pipe(Effect.scoped, Effect.provide(Logger.layer([]))),
  )
})
