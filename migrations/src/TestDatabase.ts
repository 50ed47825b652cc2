import { Clock, Context, Effect, Layer } from "effect"
import { inject } from "vitest"
import * as Database from "@launch-registry/postgres/Database"
import { ofProcess } from "@launch-registry/postgres/SharedClock"
import { clonedDatabase } from "./ClonedDatabase.ts"
import { migrate } from "./Migrate.ts"

let clones = 0

const server = () => ({ socketDirectory: inject("postgresSockets"), username: inject("postgresUsername") })

const onRealTime = Layer.succeed(Clock.Clock, Context.get(Context.empty(), Clock.Clock))

/** By real time, connections stay open while a test moves its clock. */
const connected = (database: string) => Layer.provide(Database.layer({ ...server(), database }), onRealTime)

const clone = (template: string, locale?: string) =>
  Effect.suspend(() => clonedDatabase(server(), `test_${process.pid}_${clones++}`, template, locale))

/** Name of a migrated database that lives as long as the scope. */
export const migrated = Effect.suspend(() => clone(inject("postgresTemplate")))

/** Name of an empty database. */
export const empty = clone("template0")

/** Connections of their own to a migrated database, as each replica has them. */
export const connectionsTo = (name: string) => Layer.provideMerge(connected(name), ofProcess)

/** A migrated database that the suite has to itself, on its own clock. */
export const layerOnItsClock = Layer.unwrap(Effect.map(migrated, connected))

/** A migrated database that the suite has to itself. What processes share goes by the clock of the test. */
export const layer = Layer.provideMerge(layerOnItsClock, ofProcess)

/** An empty database. */
export const layerEmpty = Layer.unwrap(Effect.map(empty, connected))

/** A migrated database with options of its own for the locale, as `create database` takes them. */
export const layerWithLocale = (locale: string) =>
  Layer.unwrap(
    Effect.map(clone("template0", locale), (database) =>
      Layer.provideMerge(Layer.effectDiscard(migrate()), connected(database)),
    ),
  ).pipe(Layer.provideMerge(ofProcess))
