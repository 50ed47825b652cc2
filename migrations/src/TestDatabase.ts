import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { inject } from "vitest"
import * as Database from "@launch-registry/postgres/Database"

let clones = 0

const addressOf = (database: string) => ({
  socketDirectory: inject("postgresSockets"),
  username: inject("postgresUsername"),
  database,
})

/** Runs statements on the maintenance database: a database cannot be cloned or dropped from within itself. */
const maintain = (statement: (sql: SqlClient) => Effect.Effect<unknown, unknown>) =>
  Effect.flatMap(SqlClient, statement).pipe(Effect.provide(Database.layer(addressOf("postgres"))), Effect.orDie)

/** A cloned database on the test server, dropped when the scope closes. */
const clone = (template: string) =>
  Effect.acquireRelease(
    Effect.gen(function* () {
      const name = `test_${process.pid}_${clones++}`
      yield* maintain((sql) => sql`create database ${sql(name)} template ${sql(template)}`)
      return name
    }),
    (name) => maintain((sql) => sql`drop database ${sql(name)} with (force)`),
  )

/** Name of a migrated database that lives as long as the scope. */
export const migrated = Effect.suspend(() => clone(inject("postgresTemplate")))

/** Name of an empty database. */
export const empty = clone("template0")

/** A migrated database for one suite. */
export const layer = Layer.unwrap(Effect.map(migrated, (name) => Database.layer(addressOf(name))))

/** An empty database. */
export const layerEmpty = Layer.unwrap(Effect.map(empty, (name) => Database.layer(addressOf(name))))
