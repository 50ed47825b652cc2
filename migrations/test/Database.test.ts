import { connect, createServer, type AddressInfo, type Server } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { inject } from "vitest"
import * as Database from "../src/Database.ts"

/** A port of the test server that refuses its first connections. */
const portRefusing = (refusals: number) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly server: Server; readonly port: number; readonly refused: () => number }>((resume) => {
      let refused = 0
      const server = createServer((socket) => {
        if (refused < refusals) {
          refused++
          return void socket.destroy()
        }
        const postgres = connect(`${inject("postgresSockets")}/.s.PGSQL.5432`)
        for (const end of [socket, postgres]) end.on("error", () => [socket, postgres].map((one) => one.destroy()))
        socket.pipe(postgres).pipe(socket)
      }).listen(0, "127.0.0.1", () => {
        const { port } = server.address() as AddressInfo
        resume(Effect.succeed({ server, port, refused: () => refused }))
      })
    }),
    ({ server }) => Effect.sync(() => server.close()),
  )

const addressAt = (port: number, user = inject("postgresUsername")) => ({
  url: Redacted.make(`postgres://${user}@127.0.0.1:${port}/postgres`),
})

const one = Effect.flatMap(SqlClient, (sql) => sql<{ readonly one: number }>`select 1 as one`)

describe("The database", () => {
  it.live("is waited for when it does not answer yet", () =>
    Effect.gen(function* () {
      const { port, refused } = yield* portRefusing(2)
      const rows = yield* one.pipe(Effect.provide(Database.layer(addressAt(port))))
      assert.deepStrictEqual(rows, [{ one: 1 }])
      assert.strictEqual(refused(), 2)
    }).pipe(Effect.scoped),
  )

  it.live("that refuses who asks is not asked again, and the reason is told", () =>
    Effect.gen(function* () {
      const { port } = yield* portRefusing(0)
      const fiber = yield* Effect.forkChild(one.pipe(Effect.provide(Database.layer(addressAt(port, "nobody-known")))))
      const exit = yield* Fiber.await(fiber)
      const fault = Exit.isFailure(exit) ? Cause.squash(exit.cause) : undefined
      assert.match(String(fault), /The database cannot be used: .*role "nobody-known" does not exist/)
    }).pipe(Effect.scoped),
  )
})
