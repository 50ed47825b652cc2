import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import * as Database from "@launch-registry/postgres/Database"

/** Where a test server is, and its superuser. */
export interface TestServer {
  readonly socketDirectory: string
  readonly username: string
}

/** Runs statements on the maintenance database: a database cannot be cloned or dropped from within itself. */
const maintain = (server: TestServer, statement: (sql: SqlClient) => Effect.Effect<unknown, unknown>) =>
  Effect.flatMap(SqlClient, statement).pipe(
    Effect.provide(Database.layer({ ...server, database: "postgres" })),
    Effect.orDie,
  )

/** A database of this name, cloned from a template and dropped when the scope closes. */
export const clonedDatabase = (server: TestServer, name: string, template: string) =>
  Effect.acquireRelease(
    Effect.as(
      maintain(server, (sql) => sql`create database ${sql(name)} template ${sql(template)}`),
      name,
    ),
    () => maintain(server, (sql) => sql`drop database ${sql(name)} with (force)`),
  )
