import { writeFileSync } from "node:fs"
import { createServer } from "node:net"
import { join } from "node:path"
import { connectionsTo, empty, migrated } from "@launch-registry/migrations/TestDatabase"
import { TestDoor } from "@launch-registry/migrations/TestDoor"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { testUrlOf } from "./DatabaseUrls.ts"
import { runningService } from "./StartedService.ts"
import { temporaryFolder } from "./TemporaryFolder.ts"
import { until, untilAnswer } from "./UntilAnswer.ts"

/** The output of a service that exits with 1 by itself. */
const saidAtTheEnd = (environment: Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const { running } = yield* runningService(environment)
    assert.strictEqual(yield* Effect.promise(() => running.ended), 1, running.output())
    const said = running.output().trim()
    assert.notMatch(said, /CANARY|\n\s+at |\.ts:/)
    return said
  }).pipe(Effect.scoped)

/** Nothing embedded, so that the start is fast. */
const OUTSIDE = { RPC_URL: "http://127.0.0.1:9", RPC_GENESIS_HASH: "any" }

const outside = Effect.map(migrated, (database) => ({ ...OUTSIDE, DATABASE_URL: testUrlOf(database) }))

/** A port of loopback that something listens on. */
const takenPort = Effect.map(
  Effect.acquireRelease(
    Effect.callback<ReturnType<typeof createServer>>((resume) => {
      const server = createServer().listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close()),
  ),
  (server) => (server.address() as { readonly port: number }).port,
)

describe("A service that cannot start says why in one line and exits with 1", () => {
  it.live("when its port is in use, whatever its role", () =>
    Effect.gen(function* () {
      const environment = yield* outside
      const port = yield* takenPort
      for (const ROLE of ["api", "indexer"]) {
        const said = yield* saidAtTheEnd({ ...environment, ROLE, PORT: String(port) })
        const told = `Cannot listen on port ${port} of 127.0.0.1: the port is in use; `
        assert.isTrue(said.split("\n").at(-1)!.startsWith(told), said)
      }
    }).pipe(Effect.scoped),
  )

  it.live("when the port that the local chain must have is in use", () =>
    Effect.gen(function* () {
      const [port, DATA_FOLDER] = [yield* takenPort, yield* temporaryFolder]
      const said = yield* saidAtTheEnd({ DATA_FOLDER, LOCAL_CHAIN_PORT: String(port) })
      const told = `The local chain cannot listen on port ${port}: it is in use, or not allowed; choose another LOCAL_CHAIN_PORT`
      assert.include(said.split("\n"), told)
    }).pipe(Effect.scoped),
  )

  it.live("when DATA_FOLDER cannot be created, or is a file", () =>
    Effect.gen(function* () {
      const file = join(yield* temporaryFolder, "file")
      writeFileSync(file, "")
      for (const DATA_FOLDER of ["/proc/registry/data", file]) {
        const said = yield* saidAtTheEnd({ DATA_FOLDER })
        assert.match(said, /^.*The folder \S+ cannot be used: [^;\n]+; choose another DATA_FOLDER$/)
      }
    }).pipe(Effect.scoped),
  )

  it.live("when the database has the schema of an unreleased version, whether it migrates or waits", () =>
    Effect.gen(function* () {
      const database = yield* migrated
      yield* Effect.flatMap(
        SqlClient,
        (sql) => sql`update schema_migrations set name = 'create_schema' where migration_id = 1`,
      ).pipe(Effect.provide(connectionsTo(database)))
      for (const MIGRATE of ["true", "false"]) {
        const said = yield* saidAtTheEnd({ ...OUTSIDE, DATABASE_URL: testUrlOf(database), MIGRATE })
        assert.match(
          said.split("\n").at(-1)!,
          /^The database has the schema of an unreleased version, .* delete the data folder$/,
        )
      }
    }).pipe(Effect.scoped),
  )

  it.live("when the database rejects its password", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      door.shut("28P01")
      const url = Redacted.value(door.addressOf("registry", "somebody:CANARY").url)
      const said = yield* saidAtTheEnd({ ...(yield* outside), DATABASE_URL: url })
      assert.strictEqual(said, "The database cannot be used: the door is shut")
    }).pipe(Effect.scoped),
  )
})

describe("A service that waits for its database", () => {
  it.live("says so once, without the URL, and exits with 0 when asked to stop", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      door.shut("")
      const DATABASE_URL = Redacted.value(door.addressOf("registry", "somebody:CANARY").url)
      const { running } = yield* runningService({ ...OUTSIDE, DATABASE_URL })
      yield* Effect.promise(() => until(() => door.refused >= 3))
      assert.lengthOf(running.output().match(/The database is not available yet, retrying: /g) ?? [], 1)
      assert.notInclude(running.output(), "CANARY")
      running.process.kill("SIGTERM")
      assert.strictEqual(yield* Effect.promise(() => running.ended), 0, running.output())
    }).pipe(Effect.scoped),
  )

  it.live("does so at every step of its start", () =>
    Effect.gen(function* () {
      const door = yield* TestDoor.make
      door.refusals = 1
      door.shut("57P03")
      const DATABASE_URL = Redacted.value(door.addressOf(yield* empty).url)
      const { running, url } = yield* runningService({ DATABASE_URL, DATA_FOLDER: yield* temporaryFolder })
      yield* Effect.promise(async () => {
        // Each attempt gets further than the one before, or the service would never start.
        const isUp = () => running.output().includes(" is up (")
        for (let outage = 1; !isUp(); outage++) {
          await until(() => door.refused >= outage || isUp() || running.process.exitCode !== null)
          assert.isNull(running.process.exitCode, running.output())
          door.shutsAt = door.passed + 3 * outage
        }
        door.shutsAt = Number.POSITIVE_INFINITY
        door.open()
        await untilAnswer(`${url}/api/tokens`, ({ success }) => success)
      })
      assert.isAtLeast(door.refused, 3)
      assert.include(running.output(), "The database is not available yet, retrying")
    }).pipe(Effect.scoped),
  )
})

describe("A likely misspelt setting", () => {
  it.live("causes a warning with its name", () =>
    Effect.gen(function* () {
      const environment = { ...(yield* outside), INTENT_URL: "CANARY", RPC_URLS: "CANARY", PORT: "x" }
      const said = yield* saidAtTheEnd(environment)
      assert.include(said, "INTENT_URL is not a setting; did you mean INTENTS_URL?")
      assert.include(said, "RPC_URLS is not a setting; did you mean RPC_URL?")
    }).pipe(Effect.scoped),
  )
})
