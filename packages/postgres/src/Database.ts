import * as PgClient from "@effect/sql-pg/PgClient"
import { Effect, Layer, type Redacted, String as Str } from "effect"
import { SqlClient } from "effect/sql"
import { awaitingDatabase, DatabaseUnusable } from "./AwaitDatabase.ts"
import { faultOfDatabaseUrl, serverOf } from "./DatabaseUrl.ts"
import { serverConnections, type SilenceOptions } from "./SilentServer.ts"

/** Where a PostgreSQL server is: a connection string, or the socket directory of an embedded one. */
export type DatabaseAddress =
  | { readonly url: Redacted.Redacted }
  | { readonly socketDirectory: string; readonly username: string; readonly database: string }

/** Connections of one process: queries share them (pipelined), transactions hold one each. */
const CONNECTIONS_MAX = 10

/** A query that runs longer than this is cut off by the server, so that no caller waits for it. */
const STATEMENT_TIMEOUT_MILLIS = 15_000

const CONNECT_TIMEOUT_MILLIS = 5_000

const pathOf = (socketDirectory: string) => `${socketDirectory}/.s.PGSQL.5432`

const connection = (address: DatabaseAddress) =>
  "url" in address
    ? { url: address.url }
    : { path: pathOf(address.socketDirectory), username: address.username, database: address.database }

const client = (address: DatabaseAddress, silence?: SilenceOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      yield* assertAddress(address)
      const to = "url" in address ? serverOf(address.url) : { path: pathOf(address.socketDirectory) }
      const { stream, watch } = serverConnections(to, silence)
      const config = {
        ...connection(address),
        applicationName: "token-launch-registry",
        startupParameters: { statement_timeout: String(STATEMENT_TIMEOUT_MILLIS), timezone: "UTC" },
      }
      yield* watch(config)
      return PgClient.layer({
        ...config,
        stream,
        connectTimeout: CONNECT_TIMEOUT_MILLIS,
        maxConnections: CONNECTIONS_MAX,
        multiplex: true,
        transformQueryNames: Str.camelToSnake,
        transformResultNames: Str.snakeToCamel,
        transformJson: false,
      })
    }),
  )

const assertAddress = Effect.fnUntraced(function* (address: DatabaseAddress) {
  const fault = "url" in address ? yield* faultOfDatabaseUrl(address.url) : undefined
  if (fault !== undefined) return yield* new DatabaseUnusable({ reason: `its URL: ${fault}` })
})

/**
 * The SQL client of a process. Columns are snake_case in the database and camelCase in code; documents (jsonb) are
 * left as they are. A database that does not answer yet is waited for; a wrong password or a wrong URL fails at once.
 */
export const layer = (address: DatabaseAddress, patienceMillis?: number, silence?: SilenceOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* awaitingDatabase(sql`select 1`, patienceMillis)
    }),
  ).pipe(Layer.provideMerge(client(address, silence)), Layer.orDie)
