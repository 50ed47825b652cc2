import { assert, layer } from "@effect/vitest"
import * as Database from "@launch-registry/postgres/Database"
import { isDatabaseAway, isReadOnly } from "@launch-registry/postgres/DatabaseAway"
import { Context, Effect, Layer, Logger, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { databasePair } from "./DatabasePair.ts"

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

/** Writes in as many transactions at the same time. */
const write = Effect.gen(function* () {
  const sql = yield* SqlClient
  const one = sql.withTransaction(
    Effect.gen(function* () {
      yield* sql`create table if not exists written (at timestamptz)`
      yield* sql`insert into written values (now())`
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
})
