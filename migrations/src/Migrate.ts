import * as NodeServices from "@effect/platform-node/NodeServices"
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as PgMigrator from "@effect/sql-pg/PgMigrator"
import { Effect, Layer } from "effect"
import type { Loader } from "effect/sql/Migrator"
import type * as SqlClient from "effect/sql/SqlClient"
import { awaitingDatabase, type DatabaseUnusable } from "@launch-registry/postgres/AwaitDatabase"
import { firstMigrations } from "./Migrations.ts"

/** Table of the migrator. */
export const MIGRATIONS_TABLE = "schema_migrations"

/**
 * Applies the missing of these migrations, by default all; returns the applied migrations. Safe for concurrent starts: the migrator
 * locks its table. If the database becomes unavailable meanwhile, uncommitted migrations are applied again.
 */
export const migrate = (
  migrations: Loader<NodeServices.NodeServices> = firstMigrations(),
): Effect.Effect<
  ReadonlyArray<readonly [id: number, name: string]>,
  DatabaseUnusable,
  SqlClient.SqlClient | PgClient.PgClient
> =>
  PgMigrator.run({ loader: migrations, table: MIGRATIONS_TABLE }).pipe(
    Effect.provide(NodeServices.layer),
    (migrating) => awaitingDatabase(migrating),
  )

/** Migrates before dependent layers are built. */
export const layer = Layer.effectDiscard(migrate()).pipe(Layer.orDie)
