import * as NodeServices from "@effect/platform-node/NodeServices"
import type * as PgClient from "@effect/sql-pg/PgClient"
import * as PgMigrator from "@effect/sql-pg/PgMigrator"
import { Effect, Layer } from "effect"
import type { Loader, ResolvedMigration } from "effect/sql/Migrator"
import * as SqlClient from "effect/sql/SqlClient"
import { awaitingDatabase, type DatabaseUnusable } from "@launch-registry/postgres/AwaitDatabase"
import { migrations } from "./Migrations.ts"
import { SchemaUnreleased } from "./SchemaUnreleased.ts"

/** Table of the migrator. */
export const MIGRATIONS_TABLE = "schema_migrations"

/** Numbers of the migrations that the database has. Fails where it has others than these by the same numbers. */
export const appliedMigrations = Effect.fnUntraced(function* (all: ReadonlyArray<ResolvedMigration>) {
  const sql = yield* SqlClient.SqlClient
  const [table] = yield* sql<{ readonly exists: boolean }>`
    select to_regclass(${MIGRATIONS_TABLE}) is not null as exists`
  const rows = table!.exists
    ? yield* sql<{ readonly id: number; readonly name: string }>`
        select migration_id as id, name from ${sql(MIGRATIONS_TABLE)}`
    : []
  const applied = new Map(rows.map(({ id, name }) => [id, name]))
  if (all.some(([id, name]) => applied.has(id) && applied.get(id) !== name)) return yield* new SchemaUnreleased()
  return new Set(applied.keys())
})

/** Of the transaction that it runs in: that of the migrator, which loads the migrations there. */
const untimed = Effect.orDie(
  Effect.flatMap(SqlClient.SqlClient, (sql) => sql`select set_config('statement_timeout', '0', true)`),
)

/**
 * Applies the missing of these migrations, by default all; returns the applied migrations. Safe for concurrent starts: the migrator
 * locks its table. If the database becomes unavailable meanwhile, uncommitted migrations are applied again.
 *
 * In a database that is in use each is a transaction of its own. In one transaction, a migration would wait for a table that another process
 * reads, while that process waits for a table locked by an earlier migration: a deadlock, after which an index that takes minutes is built
 * again. None has a time limit: they wait for whoever reads.
 */
export const migrate = (
  wanted: Loader<NodeServices.NodeServices> = migrations,
): Effect.Effect<
  ReadonlyArray<readonly [id: number, name: string]>,
  DatabaseUnusable | SchemaUnreleased,
  SqlClient.SqlClient | PgClient.PgClient
> =>
  Effect.gen(function* () {
    const all = yield* awaitingDatabase(wanted)
    const applied = yield* awaitingDatabase(appliedMigrations(all))
    const ends = applied.size === 0 ? [] : all.flatMap(([id], at) => (applied.has(id) ? [] : [at + 1]))
    const runs = yield* Effect.forEach(ends.length === 0 ? [all.length] : ends, (end) =>
      awaitingDatabase(PgMigrator.run({ loader: Effect.as(untimed, all.slice(0, end)), table: MIGRATIONS_TABLE })),
    )
    // Another process may have been first, with another schema.
    yield* awaitingDatabase(appliedMigrations(all))
    return runs.flat()
  }).pipe(Effect.provide(NodeServices.layer))

/** Migrates before dependent layers are built. */
export const layer = Layer.effectDiscard(migrate()).pipe(Layer.orDie)
