import { createServer, type AddressInfo } from "node:net"
import * as PgClient from "@effect/sql-pg/PgClient"
import { assert, layer } from "@effect/vitest"
import * as Database from "@launch-registry/postgres/Database"
import { TestDoor } from "@launch-registry/migrations/TestDoor"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Layer, Logger, Redacted } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql/SqlClient"
import { declaredPaths } from "../src/requests/DeclaredPaths.ts"
import { requestEdge } from "../src/requests/RequestEdge.ts"

/** The answer of a handler that uses the database like this and dies on its errors, as services do. */
const answerOf = Effect.fn(function* (work: (sql: SqlClient) => Effect.Effect<unknown, unknown>) {
  const sql = yield* SqlClient
  const handling = Effect.as(Effect.orDie(work(sql)), HttpServerResponse.text("done"))
  const route = HttpRouter.add("GET", "/", handling).pipe(
    Layer.provide(requestEdge(declaredPaths({ groups: {} }, [["GET", "/"]]))),
    Layer.provideMerge(Logger.layer([])),
  )
  const { dispose, handler } = HttpRouter.toWebHandler(route, { disableLogger: true })
  return yield* Effect.promise(async () => {
    const response = await handler(new Request("http://localhost/"))
    const { code } = (await response.json()) as { code: string }
    await dispose()
    return { status: response.status, code, retryAfter: response.headers.get("retry-after") }
  })
})

const AWAY = { status: 503, code: "upstream_unavailable", retryAfter: "2" }
const FAULT = { status: 500, code: "internal_error", retryAfter: null }

const raising = (state: string) => (sql: SqlClient) =>
  sql.unsafe(`do $$ begin raise exception 'secret detail' using errcode = '${state}'; end $$`)

/** A server on loopback that rejects every connection with this SQLSTATE, as PostgreSQL does. */
const refusingWith = (state: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly port: number; readonly close: () => void }>((resume) => {
      const fields = Buffer.from(`SFATAL\0VFATAL\0C${state}\0Mthe database system is not yet accepting connections\0\0`)
      const head = Buffer.from("E\0\0\0\0")
      head.writeUInt32BE(fields.length + 4, 1)
      const server = createServer((socket) => {
        socket.on("error", () => undefined)
        socket.once("data", () => socket.end(Buffer.concat([head, fields])))
      }).listen(0, "127.0.0.1", () =>
        resume(Effect.succeed({ port: (server.address() as AddressInfo).port, close: () => void server.close() })),
      )
    }),
    ({ close }) => Effect.sync(close),
  )

const askAt = (port: number) =>
  answerOf((sql) => sql`select 1`).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(`postgres://nobody@127.0.0.1:${port}/none`), ssl: false })),
  )

const STATES = {
  "08006": "the connection failed",
  "25006": "a standby that only reads",
  "40001": "transactions in each other's way",
  "40P01": "a deadlock",
  "53100": "a full disk",
  "53300": "too many connections",
  "55P03": "a lock that was not available",
  "57014": "a statement that took too long",
  "57P01": "a server that stops",
  "57P02": "a server that recovers from a crash of one of its processes",
  "57P03": "a server that starts",
}

layer(TestDatabase.layer, { excludeTestServices: true })(
  "An unreachable or overloaded database is 503 with Retry-After",
  (it) => {
    for (const [state, what] of Object.entries(STATES))
      it.effect(`${state}: ${what}`, () =>
        Effect.gen(function* () {
          assert.deepStrictEqual(yield* answerOf(raising(state)), AWAY)
        }),
      )

    it.effect("within a transaction, whose rollback fails as well", () =>
      Effect.gen(function* () {
        const ended = (sql: SqlClient) =>
          sql.withTransaction(Effect.andThen(sql`select pg_terminate_backend(pg_backend_pid())`, sql`select 1`))
        assert.deepStrictEqual(yield* answerOf(ended), AWAY)
      }),
    )

    it.effect("a statement that hit its timeout", () =>
      Effect.gen(function* () {
        const slow = (sql: SqlClient) =>
          sql.withTransaction(Effect.andThen(sql`set local statement_timeout = 5`, sql`select pg_sleep(60)`))
        assert.deepStrictEqual(yield* answerOf(slow), AWAY)
      }),
    )

    it.effect("a server that hangs", () =>
      Effect.gen(function* () {
        const door = yield* TestDoor.make
        const silence = { everyMillis: 20, silenceMillis: 300 }
        const answered = answerOf((sql) => {
          door.mute()
          return sql`select 1`
        })
        const database = Database.layer(door.addressOf("postgres"), undefined, silence)
        assert.deepStrictEqual(yield* Effect.provide(answered, database), AWAY)
      }).pipe(Effect.scoped),
    )

    for (const state of ["57P03", "53300"])
      it.effect(`a server that rejects connections with ${state}, and one that is down`, () =>
        Effect.gen(function* () {
          const { close, port } = yield* refusingWith(state)
          assert.deepStrictEqual(yield* askAt(port), AWAY)
          close()
          assert.deepStrictEqual(yield* askAt(port), AWAY)
        }).pipe(Effect.scoped),
      )
  },
)

layer(TestDatabase.layer, { excludeTestServices: true })("A fault that a retry cannot fix is 500", (it) => {
  for (const state of ["22012", "23514", "42P01", "XX000"])
    it.effect(state, () =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* answerOf(raising(state)), FAULT)
      }),
    )
})
