import { assert, layer } from "@effect/vitest"
import * as Database from "@launch-registry/postgres/Database"
import { isDatabaseAway, isReadOnly } from "@launch-registry/postgres/DatabaseAway"
import * as ReadReplicas from "@launch-registry/postgres/replicas/ReadReplicas"
import { Context, Effect, Layer, Logger, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { standbyOf } from "../../../postgres/test/Standby.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"
import { databasePair } from "./DatabasePair.ts"

const HEARTBEAT = { everyMillis: 20, silenceMillis: 60_000 }
/** So seldom that the heartbeat finds out nothing. */
const NO_HEARTBEAT = { everyMillis: 600_000, silenceMillis: 600_000 }

class Pair extends Context.Service<Pair, Effect.Success<ReturnType<typeof databasePair>>>()(
  "@launch-registry/service/test/promotion/Pair",
) {}

const pair = Layer.effect(Pair, databasePair({ isSynchronous: false })).pipe(
  Layer.orDie,
  Layer.provide(Logger.layer([])),
)

const CONNECTIONS = 4

/** Writes in as many transactions at the same time; which servers did so. */
const write = Effect.gen(function* () {
  const sql = yield* SqlClient
  const one = sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`create table if not exists written (at timestamptz)`
      yield* sql`insert into written values (now())`
      const [row] = yield* sql<{ readonly server: string }>`select pg_postmaster_start_time()::text as server`
      return row!.server
    }),
  )
  return yield* Effect.all(
    Array.from({ length: CONNECTIONS }, () => one),
    { concurrency: "unbounded" },
  )
})

/** The same, again until it is taken: where a connection is lost, its rollback is a defect as well. */
const writeAgain = Effect.retry(
  Effect.catchCause(write, () => Effect.fail("not taken" as const)),
  Schedule.spaced(20),
)

const serverOf = Effect.map(
  Effect.flatMap(
    SqlClient,
    (sql) => sql<{ readonly server: string }>`select pg_postmaster_start_time()::text as server`,
  ),
  ([row]) => row!.server,
)

layer(pair, { excludeTestServices: true, timeout: 60_000 })("A database whose address is moved", (it) => {
  it.effect("to a standby takes no writes, and does again once the address is that of the primary", () =>
    Effect.gen(function* () {
      const { address, primary, standby } = yield* Pair
      address.moveTo(standby)
      yield* Effect.gen(function* () {
        const refused = yield* Effect.flip(write)
        assert.isTrue(isDatabaseAway(refused) && isReadOnly(refused))
        // Connections to the standby stay open, until it has refused a write of them.
        address.moveTo(primary)
        yield* writeAgain
      }).pipe(Effect.provide(Database.layer({ url: Redacted.make(address.url) }, undefined, NO_HEARTBEAT)))
    }),
  )

  it.effect("away from a server that goes on answering is followed: no write goes to that one any more", () =>
    Effect.gen(function* () {
      const { address, asPrimary, asStandby, promote } = yield* Pair
      yield* Effect.gen(function* () {
        const left = yield* asPrimary(serverOf)
        yield* Effect.repeat(writeAgain, { until: (servers) => servers.every((server) => server === left) })
        // Two primaries, as after a failover of which the first one knows nothing.
        yield* promote
        const promoted = yield* asStandby(serverOf)
        yield* Effect.repeat(writeAgain, {
          until: (servers) => servers.every((server) => server === promoted),
          schedule: Schedule.spaced(20),
        })
        for (let round = 0; round < 3; round++) assert.deepStrictEqual([...new Set(yield* writeAgain)], [promoted])
      }).pipe(Effect.provide(Database.layer({ url: Redacted.make(address.url) }, undefined, HEARTBEAT)))
    }),
  )

  it.effect("leaves replicas that follow the former primary out: they have what the new one lacks", () =>
    Effect.gen(function* () {
      const { asPrimary, primary, standby } = yield* Pair
      const other = yield* asPrimary(standbyOf(primary, yield* temporaryFolder))
      yield* asPrimary(
        Effect.flatMap(SqlClient, (sql) => sql`create table more as select generate_series(1, 100000) as number`),
      )
      yield* Effect.gen(function* () {
        const replicas = (yield* ReadReplicas.ReadReplicas)!
        const state = Effect.map(Effect.andThen(replicas.probe, replicas.report), ([replica]) => replica!.state)
        yield* Effect.repeat(state, { until: (one) => one === "diverged", schedule: Schedule.spaced(20) })
        assert.strictEqual(yield* state, "diverged")
        assert.isUndefined(replicas.choose())
      }).pipe(
        Effect.provide(ReadReplicas.layer({ addresses: [other.address], lagMaxMillis: 60_000 })),
        Effect.provide(Database.layer(standby.address)),
        Effect.provide(Logger.layer([])),
      )
    }),
  )
})
