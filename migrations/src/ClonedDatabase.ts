import { Effect, ManagedRuntime } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "@launch-registry/postgres/Database"

/** Where a test server is, and its superuser. */
export interface TestServer {
  readonly socketDirectory: string
  readonly username: string
}

/** One connection of this process to each server: a database cannot be cloned or dropped from within itself. */
const connections = new Map<string, ManagedRuntime.ManagedRuntime<SqlClient, never>>()

const connectionTo = (server: TestServer) => {
  const known = connections.get(server.socketDirectory)
  if (known !== undefined) return known
  const runtime = ManagedRuntime.make(Database.layer({ ...server, database: "postgres" }))
  connections.set(server.socketDirectory, runtime)
  return runtime
}

const maintain = (server: TestServer, statement: (sql: SqlClient) => Effect.Effect<unknown, unknown>) =>
  Effect.promise(() => connectionTo(server).runPromise(Effect.flatMap(SqlClient, statement)))

/**
 * A database of this name, cloned from a template and dropped when the scope closes. Files are copied as they are: without fsync, the
 * checkpoints of that cost less than a log of all pages. Only a clone of template0 may have another locale.
 */
export const clonedDatabase = (server: TestServer, name: string, template: string, locale = "") =>
  Effect.acquireRelease(
    Effect.as(
      maintain(
        server,
        (sql) => sql`create database ${sql(name)} template ${sql(template)} strategy file_copy ${sql.literal(locale)}`,
      ),
      name,
    ),
    () => maintain(server, (sql) => sql`drop database ${sql(name)} with (force)`),
  )
