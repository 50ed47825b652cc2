import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { inject } from "vitest"
import * as Database from "@launch-registry/postgres/Database"
import { ofProcess } from "@launch-registry/postgres/SharedClock"

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

/** Connections of their own to a migrated database, as each replica has them. */
export const connectionsTo = (name: string) => Layer.provideMerge(Database.layer(addressOf(name)), ofProcess)

/** A migrated database that the suite has to itself, on its own clock. */
export const layerOnItsClock = Layer.unwrap(Effect.map(migrated, (name) => Database.layer(addressOf(name))))

/** A migrated database that the suite has to itself. What processes share goes by the clock of the test. */
export const layer = Layer.provideMerge(layerOnItsClock, ofProcess)

/** An empty database. */
export const layerEmpty = Layer.unwrap(Effect.map(empty, (name) => Database.layer(addressOf(name))))
