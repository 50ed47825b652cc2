import { withNewCluster } from "@launch-registry/migrations/NewCluster"
import * as Database from "@launch-registry/postgres/Database"
import { type EmbeddedServer, embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import { Effect, Exit, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { MovableAddress } from "../../../postgres/test/MovableAddress.ts"
import { standbyOf } from "../../../postgres/test/Standby.ts"
import { killPostgres } from "../durability/KillPostgres.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"

const LOOK_MILLIS = 20

/** Runs on a server, with a connection of its own. */
const on = <A, E, R>({ address }: EmbeddedServer, work: Effect.Effect<A, E, R>) =>
  Effect.provide(work, Database.layer(address))

/** Looks until a statement finds a row. */
const until = (statement: string) =>
  Effect.flatMap(SqlClient, (sql) =>
    Effect.repeat(sql.unsafe(statement), { until: (rows) => rows.length > 0, schedule: Schedule.spaced(LOOK_MILLIS) }),
  )

/** A primary with a standby, both with files of their own that survive `kill -9`, and an address that leads to the primary. */
export const databasePair = Effect.fnUntraced(function* (options: { readonly isSynchronous: boolean }) {
  const address = yield* MovableAddress.make
  // The primary ends before the standby does, and is not started again.
  const ofPrimary = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
  const primary = yield* Scope.provide(embeddedPostgres({ folder: withNewCluster(yield* temporaryFolder) }), ofPrimary)
  const folder = yield* temporaryFolder
  const standby = yield* on(primary, standbyOf(primary, folder, false))
  const asPrimary = <A, E, R>(work: Effect.Effect<A, E, R>) => on(primary, work)
  const asStandby = <A, E, R>(work: Effect.Effect<A, E, R>) => on(standby, work)
  if (options.isSynchronous) {
    // Soon after the primary was started again, it follows it.
    yield* asStandby(
      Effect.flatMap(SqlClient, (sql) =>
        Effect.andThen(sql`alter system set wal_retrieve_retry_interval = '50ms'`, sql`select pg_reload_conf()`),
      ),
    )
    yield* asPrimary(
      Effect.gen(function* () {
        const sql = yield* SqlClient
        yield* sql`alter system set synchronous_standby_names = '*'`
        yield* sql`select pg_reload_conf()`
        yield* until("select 1 from pg_stat_replication where sync_state = 'sync'")
      }),
    )
  }
  address.moveTo(primary)

  /** The standby has everything by now, and gets nothing more. */
  const detachStandby = Effect.gen(function* () {
    yield* asPrimary(until("select 1 from pg_stat_replication where replay_lsn = pg_current_wal_insert_lsn()"))
    yield* asStandby(
      Effect.flatMap(SqlClient, (sql) =>
        Effect.andThen(sql`alter system set primary_conninfo = 'host=/nowhere'`, sql`select pg_reload_conf()`),
      ),
    )
    yield* asPrimary(until("select 1 where not exists (select from pg_stat_replication)"))
  })

  /** `kill -9` of the primary, for good. */
  const killPrimary = Effect.all(
    // At the same time, so that it is not started again in between.
    [Effect.promise((signal) => killPostgres(primary.folder, signal)), Scope.close(ofPrimary, Exit.void)],
    { concurrency: "unbounded", discard: true },
  )

  /** Makes the standby the primary; the address leads there from then on. */
  const promote = Effect.gen(function* () {
    yield* asStandby(Effect.flatMap(SqlClient, (sql) => sql`select pg_promote(true)`))
    address.moveTo(standby)
  })

  return { address, asPrimary, asStandby, detachStandby, killPrimary, primary, promote, standby }
})
