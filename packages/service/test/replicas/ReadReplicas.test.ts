import { assert, layer } from "@effect/vitest"
import { SqlClient } from "effect/sql/SqlClient"
import * as ReadReplica from "@launch-registry/postgres/ReadReplica"
import { inject } from "vitest"
import { Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { decodePosition } from "@launch-registry/postgres/LogPosition"
import { killPostgres, signalPostgres } from "../durability/KillPostgres.ts"
import { sampleAddress, tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { allOperations } from "./ReadOperations.ts"
import { MovableAddress } from "../../../postgres/test/MovableAddress.ts"
import { replicatedDatabase, Standby } from "./ReplicatedDatabase.ts"

const POSITION = "read-position"
const READS_MAX = 2_000

const server = TestServer.layer({ database: replicatedDatabase as never }) as Layer.Layer<
  TestServer | Standby | SqlClient
>

/** Repeats a look until it finds something; the test's own limit of time bounds it. */
const until = <A, E, R>(look: Effect.Effect<A | undefined, E, R>) =>
  Effect.repeat(look, { until: (found): found is A => found !== undefined, schedule: Schedule.spaced(50) })

const replica = Effect.map(ReadReplica.ReadReplica, (one) => one!)

const untilState = (expected: ReadReplica.ReplicaState) =>
  until(Effect.map(replica, ({ state }) => (state() === expected ? expected : undefined)))

const untilReplayed = (position: string) =>
  until(Effect.map(replica, ({ has }) => (has(decodePosition(position)) ? position : undefined)))

/** Statements that the replica was asked, and reads that had to be repeated on the primary. */
const figures = Effect.gen(function* () {
  const { fetch } = yield* TestServer
  const text = yield* Effect.flatMap(fetch("/metrics"), (response) => Effect.promise(() => response.text()))
  const fallbacks = Number(/^launch_registry_database_replica_fallbacks_total (\S+)$/m.exec(text)?.[1])
  return { statements: (yield* replica).figures.queries.count, fallbacks }
})

const registered = Effect.gen(function* () {
  const { request } = yield* TestServer
  const draft = tokenDraft({ mintAddress: sampleAddress() })
  const { body, headers, status } = yield* request("/api/tokens", { json: draft })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return { path: `/api/tokens/mint/${draft.mintAddress}`, position: headers.get(POSITION)! }
})

layer(server, { excludeTestServices: true, timeout: 60_000 })("A replica of the database", (it) => {
  it.effect("answers reads, with what it has, and whoever wrote sees it at once", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { sql } = yield* Standby
      yield* untilState("in use")
      const state = (yield* request("/")).body.data.database.detail
      assert.strictEqual(state, "PostgreSQL answers; its read replica is in use")
      const before = yield* figures
      yield* sql`select pg_wal_replay_pause()`
      const { path, position } = yield* registered
      assert.match(position, /^[0-9a-f]{16}$/)
      const statusWith = (headers: Readonly<Record<string, string>>) =>
        Effect.map(request(path, { headers }), ({ status }) => status)
      assert.strictEqual(yield* statusWith({}), 404)
      assert.strictEqual(yield* statusWith({ [POSITION]: position }), 200)
      // Beyond everything that was written: only the primary may have that.
      assert.strictEqual(yield* statusWith({ [POSITION]: "f".repeat(16) }), 200)
      // No position at all.
      for (const other of ["0/16B3748", "-1", "g".repeat(16), "0".repeat(4_000), position.toUpperCase() + "0"])
        assert.strictEqual(yield* statusWith({ [POSITION]: other }), 404, other.slice(0, 20))
      yield* sql`select pg_wal_replay_resume()`
      yield* until(Effect.map(statusWith({}), (status) => (status === 200 ? status : undefined)))
      const after = yield* figures
      assert.isAbove(after.statements, before.statements)
      assert.strictEqual(after.fallbacks, before.fallbacks)
    }),
  )

  it.effect("answers every read of the contract that it may, and writes nothing", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      yield* untilState("in use")
      const before = yield* figures
      for (const path of allOperations) {
        const { body, status } = yield* request(path)
        if (status >= 500) assert.match(body.code, /^not_configured$/, path)
      }
      const after = yield* figures
      assert.isAbove(after.statements, before.statements + 10)
      assert.strictEqual(after.fallbacks, before.fallbacks)
    }),
  )

  it.effect("that is killed fails no read, and comes back into use", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { folder } = yield* Standby
      const { path, position } = yield* registered
      yield* untilState("in use")
      const before = yield* figures
      const killing = yield* Effect.forkChild(Effect.promise((signal) => killPostgres(folder, signal)))
      let reads = 0
      for (; reads < READS_MAX; reads++) {
        const [one, found] = yield* Effect.all(
          [request(path, { headers: { [POSITION]: position } }), request("/api/tokens/search?q=Sample")],
          { concurrency: "unbounded" },
        )
        assert.deepStrictEqual([one.status, found.status], [200, 200])
        const { fallbacks } = yield* figures
        if (fallbacks > before.fallbacks || (yield* replica).state() === "away") break
      }
      assert.isBelow(reads, READS_MAX)
      yield* Fiber.join(killing)
      const { statements } = yield* figures
      // More than the probes alone ask of it.
      yield* until(
        Effect.gen(function* () {
          yield* Effect.all(Array.from({ length: 50 }, () => request(path, { headers: { [POSITION]: position } })))
          const now = yield* figures
          return now.statements >= statements + 50 ? now : undefined
        }),
      )
    }),
  )

  it.effect("answers the whole of a list that is streamed", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { sql } = yield* Standby
      yield* Effect.all(
        Array.from({ length: 150 }, () => registered),
        { concurrency: 10 },
      )
      const { position } = yield* registered
      yield* untilReplayed(position)
      const { body: known } = yield* request("/api/tokens")
      assert.isAbove(known.data.length, 150)
      yield* sql`select pg_wal_replay_pause()`
      yield* registered
      const before = yield* figures
      const { body } = yield* request("/api/tokens")
      const after = yield* figures
      yield* sql`select pg_wal_replay_resume()`
      assert.deepStrictEqual(body, known)
      assert.isAtLeast(after.statements, before.statements + 2)
      assert.strictEqual(after.fallbacks, before.fallbacks)
    }),
  )

  it.effect("answers while the primary does not", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { primary } = yield* Standby
      const { path, position } = yield* registered
      yield* untilReplayed(position)
      signalPostgres(primary.folder, "SIGSTOP")
      const { status } = yield* request(path, { headers: { [POSITION]: position } }).pipe(
        Effect.ensuring(Effect.sync(() => signalPostgres(primary.folder, "SIGCONT"))),
      )
      assert.strictEqual(status, 200)
    }),
  )

  it.effect("is left alone while it is behind, and not before", () =>
    Effect.gen(function* () {
      const { server, sql } = yield* Standby
      yield* Effect.gen(function* () {
        yield* untilState("in use")
        yield* sql`select pg_wal_replay_pause()`
        const { position } = yield* registered
        yield* untilState("behind")
        assert.isFalse((yield* replica).has())
        yield* sql`select pg_wal_replay_resume()`
        yield* untilReplayed(position)
      }).pipe(Effect.provide(ReadReplica.layer(server.address, 2_500)))
    }),
  )

  it.effect("is none if it takes writes or is of another cluster, until its address leads to a standby", () =>
    Effect.gen(function* () {
      const { primary, server } = yield* Standby
      const other = {
        ...{ socketDirectory: inject("postgresSockets"), username: inject("postgresUsername"), database: "postgres" },
      }
      const address = yield* MovableAddress.make
      address.moveTo(primary)
      const isNone = Effect.andThen(
        untilState("not usable"),
        Effect.map(replica, ({ has }) => assert.isFalse(has())),
      )
      yield* Effect.all(
        [
          Effect.provide(isNone, ReadReplica.layer(other)),
          Effect.gen(function* () {
            yield* isNone
            address.moveTo(server)
            yield* untilState("in use")
          }).pipe(Effect.provide(ReadReplica.layer({ url: Redacted.make(address.url) }))),
        ],
        { concurrency: "unbounded" },
      )
    }),
  )
})
