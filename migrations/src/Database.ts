import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Layer, Redacted, Schedule, Schema, String as Str } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { isDatabaseAway } from "./DatabaseAway.ts"

/** Where a PostgreSQL server is: a connection string, or the socket directory of an embedded one. */
export type DatabaseAddress =
  | { readonly url: Redacted.Redacted }
  | { readonly socketDirectory: string; readonly username: string; readonly database: string }

/** Connections of one process: queries share them (pipelined), transactions hold one each. */
const CONNECTIONS_MAX = 10

/** A query that runs longer than this is cut off by the server, so that no caller waits for it. */
const STATEMENT_TIMEOUT_MILLIS = 15_000

const CONNECT_TIMEOUT_MILLIS = 5_000

/** A database that is started together with this process, or restarted meanwhile, gets this long to answer. */
const PATIENCE_MILLIS = 15_000
const RETRY_MILLIS = 500

/** The database cannot be used. `reason` holds neither user nor password. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>()("DatabaseUnusable", {
  reason: Schema.String,
}) {
  override get message(): string {
    return `The database cannot be used: ${this.reason}`
  }
}

const reasonOf = ({ reason }: SqlError.SqlError): string =>
  reason.cause instanceof Error ? reason.cause.message : reason.message

const connection = (address: DatabaseAddress) =>
  "url" in address
    ? { url: address.url }
    : { path: `${address.socketDirectory}/.s.PGSQL.5432`, username: address.username, database: address.database }

const client = (address: DatabaseAddress) =>
  PgClient.layer({
    ...connection(address),
    applicationName: "token-launch-registry",
    connectTimeout: CONNECT_TIMEOUT_MILLIS,
    maxConnections: CONNECTIONS_MAX,
    multiplex: true,
    startupParameters: { statement_timeout: String(STATEMENT_TIMEOUT_MILLIS), timezone: "UTC" },
    transformQueryNames: Str.camelToSnake,
    transformResultNames: Str.snakeToCamel,
    transformJson: false,
  })

/**
 * The SQL client of a process. Columns are snake_case in the database and camelCase in code; documents (jsonb) are
 * left as they are. A database that does not answer yet is waited for, a little; a wrong password is told at once.
 */
export const layer = (address: DatabaseAddress, patienceMillis: number = PATIENCE_MILLIS) =>
  Layer.effectDiscard(answers(patienceMillis)).pipe(Layer.provideMerge(client(address)), Layer.orDie)

const answers = Effect.fnUntraced(function* (patienceMillis: number) {
  const sql = yield* SqlClient.SqlClient
  let isTold = false
  const tell = (error: SqlError.SqlError) => {
    if (isTold || !isDatabaseAway(error)) return Effect.void
    isTold = true
    return Effect.logWarning(`The database does not answer yet: ${reasonOf(error)}`)
  }
  yield* sql`select 1`.pipe(
    Effect.tapError(tell),
    Effect.retry({
      schedule: Schedule.spaced(RETRY_MILLIS),
      times: patienceMillis / RETRY_MILLIS,
      while: isDatabaseAway,
    }),
    Effect.mapError((error) => new DatabaseUnusable({ reason: reasonOf(error) })),
  )
})
