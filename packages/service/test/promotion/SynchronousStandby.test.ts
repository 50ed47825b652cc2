import { assert, layer } from "@effect/vitest"
import * as Database from "@launch-registry/postgres/Database"
import { isDatabaseAway, isReadOnly } from "@launch-registry/postgres/DatabaseAway"
import { PrimaryState } from "@launch-registry/postgres/PrimaryState"
import { Cause, Context, Effect, Exit, Fiber, Layer, Logger, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { signalPostgres } from "../durability/KillPostgres.ts"
import { databasePair } from "./DatabasePair.ts"

const HEARTBEAT = { everyMillis: 20, silenceMillis: 60_000, commitMillis: 500 }
/** So seldom that the heartbeat finds out nothing. */
const NO_HEARTBEAT = { everyMillis: 600_000, silenceMillis: 600_000 }

class Pair extends Context.Service<Pair, Effect.Success<ReturnType<typeof databasePair>>>()(
  "@launch-registry/service/test/promotion/SynchronousPair",
) {}

const pair = Layer.effect(
  Pair,
  Effect.tap(databasePair({ isSynchronous: true }), ({ asPrimary }) =>
    asPrimary(Effect.flatMap(SqlClient, (sql) => sql`create table written (name text)`)),
  ),
).pipe(Layer.orDie, Layer.provide(Logger.layer([])))

const single = (name: string) => Effect.flatMap(SqlClient, (sql) => sql`insert into written values (${name})`)
const WRITES = {
  transaction: (name: string) => Effect.flatMap(SqlClient, (sql) => sql.withTransaction(single(name))),
  single,
}

/** Whether it failed because the database is away; where a connection is lost, the rollback is a defect as well. */
const isRefused = <A, E, R>(write: Effect.Effect<A, E, R>) =>
  Effect.map(
    Effect.exit(write),
    (exit) =>
      Exit.isFailure(exit) &&
      exit.cause.reasons.every((reason) =>
        isDatabaseAway(
          Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) ? reason.defect : undefined,
        ),
      ),
  )

const names = Effect.map(
  Effect.flatMap(SqlClient, (sql) => sql<{ readonly name: string }>`select name from written`),
  (rows) => rows.map(({ name }) => name),
)

/** Looks until it is known whether commits wait. */
const until = (state: PrimaryState, isWaiting: boolean) =>
  Effect.repeat(
    Effect.sync(() => state.isWaiting),
    { until: (found) => found === isWaiting, schedule: Schedule.spaced(20) },
  )

/** Repeats a statement until it finds a row. */
const untilFound = (statement: string) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.repeat(sql.unsafe(statement), { until: (rows) => rows.length > 0, schedule: Schedule.spaced(20) }),
  )

/** While the standby does not answer. */
const withoutStandby = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Pair, ({ standby }) =>
    Effect.acquireUseRelease(
      Effect.sync(() => signalPostgres(standby.folder, "SIGSTOP")),
      () => work,
      () => Effect.sync(() => signalPostgres(standby.folder, "SIGCONT")),
    ),
  )

layer(pair, { excludeTestServices: true, timeout: 120_000 })(
  "A commit that waits for its synchronous standby",
  (it) => {
    for (const [kind, write] of Object.entries(WRITES))
      it.effect(`and is cancelled is not taken for durable: ${kind}`, () =>
        Effect.gen(function* () {
          const { asPrimary, primary } = yield* Pair
          const refused = yield* withoutStandby(
            Effect.gen(function* () {
              const writing = yield* Effect.forkChild(isRefused(write(`cancelled ${kind}`)))
              yield* asPrimary(
                untilFound("select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'"),
              )
              return yield* Fiber.join(writing)
            }),
          ).pipe(Effect.provide(Database.layer(primary.address, undefined, NO_HEARTBEAT)))
          assert.isTrue(refused)
          // PostgreSQL has it all the same: this is why it may not be said to have failed for good.
          yield* asPrimary(
            Effect.repeat(names, { until: (all) => all.includes(`cancelled ${kind}`), schedule: Schedule.spaced(20) }),
          )
        }),
      )

    it.effect("is given up, others are refused at once, reads are answered; and writes are taken when it is back", () =>
      Effect.gen(function* () {
        const { primary } = yield* Pair
        yield* Effect.gen(function* () {
          const state = yield* PrimaryState
          yield* single("first")
          assert.isFalse(state.isWaiting)
          yield* withoutStandby(
            Effect.gen(function* () {
              const waiting = yield* Effect.all(
                Object.entries(WRITES).map(([kind, write]) => isRefused(write(`waiting ${kind}`))),
                { concurrency: "unbounded" },
              )
              assert.deepStrictEqual(waiting, [true, true])
              yield* until(state, true)
              for (const [kind, write] of Object.entries(WRITES)) {
                assert.isTrue(yield* isRefused(write(`refused ${kind}`)))
              }
              // Connections are closed until all that waited have been told.
              const read = yield* Effect.retry(names, Schedule.spaced(20))
              assert.include(read, "first")
            }),
          )
          yield* Effect.retry(single("last"), Schedule.spaced(20))
          assert.isFalse(state.isWaiting)
          const all = yield* names
          assert.include(all, "last")
          assert.isEmpty(all.filter((name) => name.startsWith("refused")))
        }).pipe(Effect.provide(Database.layer(primary.address, undefined, HEARTBEAT)), Effect.provide(Logger.layer([])))
      }),
    )

    it.effect(
      "is refused where the address leads to the standby, and is taken once it leads to the primary again",
      () =>
        Effect.gen(function* () {
          const { address, primary, standby } = yield* Pair
          address.moveTo(standby)
          // In as many transactions at the same time.
          const writes = Effect.all(
            Array.from({ length: 4 }, () => WRITES.transaction("moved")),
            { concurrency: "unbounded" },
          )
          yield* Effect.gen(function* () {
            const refused = yield* Effect.flip(writes)
            assert.isTrue(isDatabaseAway(refused) && isReadOnly(refused))
            // Connections to the standby stay open until it has refused a write of them, whose rollback is a defect as well.
            address.moveTo(primary)
            const again = Effect.catchCause(writes, () => Effect.fail("not taken" as const))
            yield* Effect.retry(again, Schedule.spaced(20))
          }).pipe(Effect.provide(Database.layer({ url: Redacted.make(address.url) }, undefined, NO_HEARTBEAT)))
        }),
    )

    it.effect(
      "is noticed where the address has led to the standby before, and ends when PostgreSQL is told to wait for none",
      () =>
        Effect.gen(function* () {
          const { address, asPrimary, asStandby, primary, standby } = yield* Pair
          address.moveTo(standby)
          yield* Effect.gen(function* () {
            const state = yield* PrimaryState
            // The heartbeat has reached it.
            yield* asStandby(
              untilFound("select from pg_stat_activity where query like '%as replicates' and pid <> pg_backend_pid()"),
            )
            address.moveTo(primary)
            yield* withoutStandby(
              Effect.gen(function* () {
                yield* until(state, true)
                yield* asPrimary(
                  Effect.flatMap(SqlClient, (sql) =>
                    Effect.andThen(sql`alter system reset synchronous_standby_names`, sql`select pg_reload_conf()`),
                  ),
                )
                yield* until(state, false)
                yield* Effect.retry(single("alone"), Schedule.spaced(20))
              }),
            )
          }).pipe(
            Effect.provide(Database.layer({ url: Redacted.make(address.url) }, undefined, HEARTBEAT)),
            Effect.provide(Logger.layer([])),
          )
        }),
    )
  },
)
