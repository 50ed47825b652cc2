import * as Migrate from "@launch-registry/migrations/Migrate"
import * as Database from "@launch-registry/postgres/Database"
import { type EmbeddedServer, embeddedPostgres } from "@launch-registry/postgres/embedded/EmbeddedPostgres"
import * as ReadReplica from "@launch-registry/postgres/ReadReplica"
import { ofProcess } from "@launch-registry/postgres/SharedClock"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { standbyOf } from "../../../postgres/test/Standby.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"

/** Far more than a test holds replay back. */
const LAG_MAX_MILLIS = 600_000

/** A standby, and a client of its own for what a test does to it. */
export class Standby extends Context.Service<
  Standby,
  {
    readonly sql: SqlClient
    readonly folder: string
    readonly primary: EmbeddedServer
    readonly server: EmbeddedServer
  }
>()("@launch-registry/service/test/replicas/Standby") {}

/** A database with a standby, which are servers of their own. */
export const replicatedDatabase = Layer.unwrap(
  Effect.gen(function* () {
    const primary = yield* embeddedPostgres({ folder: yield* temporaryFolder, isThrowaway: true })
    const folder = yield* temporaryFolder
    const migrated = Layer.provideMerge(Migrate.layer, Database.layer(primary.address))
    const replica = Layer.unwrap(
      Effect.gen(function* () {
        const server = yield* standbyOf(primary, folder)
        const { address, folder: used } = server
        const control = Layer.effect(
          Standby,
          Effect.map(SqlClient, (sql) => Standby.of({ sql, folder: used, primary, server })),
        ).pipe(Layer.provide(Database.layer(address)))
        return Layer.merge(control, ReadReplica.layer(address, LAG_MAX_MILLIS))
      }),
    )
    return Layer.provideMerge(replica, migrated)
  }),
).pipe(Layer.orDie, Layer.provideMerge(ofProcess))
