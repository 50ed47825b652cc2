import * as Database from "@launch-registry/postgres/Database"
import { Context, Deferred, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { inject } from "vitest"

/** Waits on the real clock until rows come. */
export const untilRows = <A extends object, E>(query: Effect.Effect<ReadonlyArray<A>, E>) =>
  Effect.gen(function* () {
    for (;;) {
      const rows = yield* query
      if (rows.length > 0) return rows
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 10)))
    }
  })

/** The test's database over separate connections: on the service's, statements would queue behind a waiting one. */
export const databaseAside = Effect.gen(function* () {
  const [here] = yield* Effect.flatMap(
    SqlClient,
    (sql) => sql<{ name: string }>`select current_database()::text as name`,
  )
  const address = { socketDirectory: inject("postgresSockets"), username: inject("postgresUsername") }
  const client = Database.layer({ ...address, database: here!.name })
  const sql = Context.get(yield* Layer.build(client), SqlClient)

  /** Locks a table against writes by others; returns the release. */
  const hold = Effect.fnUntraced(function* (table: string) {
    const [held, letGo] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
    yield* Effect.forkChild(
      sql.withTransaction(
        Effect.gen(function* () {
          yield* sql`lock table ${sql(table)} in share mode`
          yield* Deferred.succeed(held, undefined)
          yield* Deferred.await(letGo)
        }),
      ),
    )
    yield* Deferred.await(held)
    return Deferred.succeed(letGo, undefined)
  })

  /** Backends that wait for a lock with such a statement. */
  const waiting = (statement: string) => sql<{ readonly pid: number }>`
    select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${`%${statement}%`}`

  return { sql, hold, waiting }
})
