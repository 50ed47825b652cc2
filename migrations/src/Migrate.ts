import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as PgMigrator from "@effect/sql-pg/PgMigrator"
import { Effect, Layer } from "effect"
import * as MigratorFileSystem from "effect/sql/MigratorFileSystem"
import type * as SqlClient from "effect/sql/SqlClient"
import { awaitingDatabase, type DatabaseUnusable } from "@launch-registry/postgres/AwaitDatabase"

/** Folder of the numbered migrations. */
export const MIGRATIONS_FOLDER = fileURLToPath(new URL("..", import.meta.url))

/** Table of the migrator. */
export const MIGRATIONS_TABLE = "schema_migrations"

/**
 * Migrates the database to the newest schema; returns the applied migrations. Safe for concurrent starts: the migrator
 * locks its table. If the database becomes unavailable meanwhile, uncommitted migrations are applied again.
 */
export const migrate = (
  folder: string = MIGRATIONS_FOLDER,
): Effect.Effect<
  ReadonlyArray<readonly [id: number, name: string]>,
  DatabaseUnusable,
  SqlClient.SqlClient | PgClient.PgClient
> =>
  PgMigrator.run({ loader: MigratorFileSystem.fromFileSystem(folder), table: MIGRATIONS_TABLE }).pipe(
    Effect.provide(NodeServices.layer),
    (migrating) => awaitingDatabase(migrating),
  )

/** Migrates before dependent layers are built. */
export const layer = Layer.effectDiscard(migrate()).pipe(Layer.orDie)
