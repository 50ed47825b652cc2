import { createHash } from "node:crypto"
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import type * as Migrator from "effect/sql/Migrator"
import { SqlClient } from "effect/sql/SqlClient"

const FOLDER = "migrations"
const FIRST = "0001_create_schema.sql"

/** Beside a bundle, or in the folder of the repository. */
const migrationsFolder = (folder: string = import.meta.dirname): string => {
  if (existsSync(join(folder, FOLDER, FIRST))) return join(folder, FOLDER)
  if (folder === dirname(folder)) throw new Error("There are no migrations beside the command")
  return migrationsFolder(dirname(folder))
}

/** Folder of the numbered migrations. */
export const MIGRATIONS_FOLDER = migrationsFolder()

/** Names of the files of all migrations, in order. */
export const MIGRATION_FILES: ReadonlyArray<string> = readdirSync(MIGRATIONS_FOLDER)
  .filter((name) => /^\d{4}_\w+\.sql$/.test(name))
  .sort()

/**
 * A migration of these statements. The driver sends one statement at a time, so PostgreSQL takes them apart, which knows the quotes of
 * functions.
 */
export const sqlMigration = (id: number, name: string, statements: string): Migrator.ResolvedMigration => [
  id,
  name,
  Effect.sync(() => {
    const text = `do $migration$ begin execute $statements$${statements}$statements$; end $migration$`
    return Effect.flatMap(SqlClient, (sql) => sql.unsafe(text))
  }),
]

/** Its name has the beginning of the file's hash, so that a database tells which form of the file it was made by. */
const fileMigration = (file: string): Migrator.ResolvedMigration => {
  const statements = readFileSync(join(MIGRATIONS_FOLDER, file), "utf8")
  const hash = createHash("sha256").update(statements).digest("hex").slice(0, 8)
  return sqlMigration(Number(file.slice(0, 4)), `${file.slice(5, -".sql".length)}_${hash}`, statements)
}

/** Every migration of this version. */
export const migrations: Migrator.Loader = Effect.sync(() => MIGRATION_FILES.map(fileMigration))
