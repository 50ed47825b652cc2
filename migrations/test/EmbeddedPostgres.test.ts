import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "@launch-registry/postgres/Database"
import { withNewCluster } from "../src/NewCluster.ts"
import { embeddedPostgres, type EmbeddedServer } from "@launch-registry/postgres/embedded/EmbeddedPostgres"

const folder = Effect.acquireRelease(
  Effect.sync(() => {
    const path = mkdtempSync(join(tmpdir(), "registry-embedded-"))
    // When run by root, the server's own account must be able to enter the folders below.
    chmodSync(path, 0o711)
    return path
  }),
  (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true })),
)

const query = <A>({ address }: EmbeddedServer, use: (sql: SqlClient) => Effect.Effect<A, unknown>) =>
  Effect.flatMap(SqlClient, use).pipe(Effect.provide(Database.layer(address)))

const postmaster = ({ folder: data }: EmbeddedServer) =>
  Number(readFileSync(join(data, "postgres", "data", "postmaster.pid"), "utf8").split("\n")[0])

describe("The embedded PostgreSQL", () => {
  it.live("keeps every acknowledged write across kill -9 and a restart, and says whether the data folder is new", () =>
    Effect.gen(function* () {
      const path = yield* folder
      yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* embeddedPostgres({ folder: path })
          assert.isTrue(server.isNew)
          yield* query(server, (sql) =>
            Effect.gen(function* () {
              yield* sql`create table kept (id int)`
              for (let id = 0; id < 200; id++) yield* sql`insert into kept values (${id})`
            }),
          )
          process.kill(postmaster(server), "SIGKILL")
        }),
      )
      yield* Effect.scoped(
        Effect.gen(function* () {
          const server = yield* embeddedPostgres({ folder: path })
          assert.isFalse(server.isNew)
          assert.lengthOf(yield* query(server, (sql) => sql`select * from kept`), 200)
        }),
      )
    }),
  )

  it.live("restarts by itself after being killed, and the client reconnects", () =>
    Effect.gen(function* () {
      const server = yield* embeddedPostgres({ folder: withNewCluster(yield* folder) })
      yield* query(server, (sql) =>
        Effect.gen(function* () {
          yield* sql`create table kept as select 1 as id`
          const killed = postmaster(server)
          process.kill(killed, "SIGKILL")
          // Its children outlive it for a moment, so an answer alone says nothing yet.
          const isBack = Effect.andThen(
            sql`select * from kept`,
            Effect.suspend(() => (postmaster(server) === killed ? Effect.fail("not yet") : Effect.void)),
          )
          yield* Effect.retry(isBack, Schedule.spaced("50 millis"))
        }),
      )
    }).pipe(Effect.scoped),
  )

  it.live("works in a folder whose path is too long for a Unix socket", () =>
    Effect.gen(function* () {
      const path = join(yield* folder, "a-rather-long-name-of-a-folder".repeat(4), "deeper")
      mkdirSync(path, { recursive: true })
      const server = yield* embeddedPostgres({ folder: withNewCluster(path) })
      assert.isBelow(server.address.socketDirectory.length, 90)
      assert.lengthOf(yield* query(server, (sql) => sql`select 1`), 1)
    }).pipe(Effect.scoped),
  )

  it.live("knows letters of any script, whatever the locale of the machine", () =>
    Effect.gen(function* () {
      const server = yield* embeddedPostgres({ folder: yield* folder, isThrowaway: true })
      const [row] = yield* query(server, (sql) => sql<{ small: string }>`select lower('ÄÉΩ') as small`)
      assert.strictEqual(row?.small, "äéω")
      const trigrams = yield* query(server, (sql) =>
        Effect.andThen(
          sql`create extension pg_trgm`,
          sql<{ word: string; count: number }>`
            select word, cardinality(show_trgm(word))::int as count from unnest(${["比特币", "кот", "توك", "비트코", "タワー"]}::text[]) word`,
        ),
      )
      for (const { count, word } of trigrams) assert.strictEqual(count, 4, word)
    }).pipe(Effect.scoped),
  )
})
