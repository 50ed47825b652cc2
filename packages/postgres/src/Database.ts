import { Effect, Layer, type Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { CommitNotices, listening } from "./CommitNotices.ts"
import { awaitingDatabase, DatabaseUnusable } from "./AwaitDatabase.ts"
import { faultOfDatabaseUrl, isPooled, serverOf } from "./DatabaseUrl.ts"
import { serverConnections, type HeartbeatOptions } from "./DatabaseHeartbeat.ts"
import { meteredClient } from "./MeteredClient.ts"
import { PrimaryState, registerPrimaryMetrics } from "./PrimaryState.ts"
import { registerStatementMetrics, StatementFigures } from "./StatementFigures.ts"

/** Address of a PostgreSQL server: a connection string, or the socket directory of an embedded server. */
export type DatabaseAddress =
  | { readonly url: Redacted.Redacted }
  | { readonly socketDirectory: string; readonly username: string; readonly database: string }

/** Connections per process: queries are pipelined on shared ones, each transaction holds its own. */
const CONNECTIONS_MAX = 10

/** Server-side limit, so that no request waits longer for a query. */
const STATEMENT_TIMEOUT_MILLIS = 15_000

const CONNECT_TIMEOUT_MILLIS = 5_000

const pathOf = (socketDirectory: string) => `${socketDirectory}/.s.PGSQL.5432`

const connection = (address: DatabaseAddress) =>
  "url" in address
    ? { url: address.url }
    : { path: pathOf(address.socketDirectory), username: address.username, database: address.database }

/** How to connect to a server, and what ends connections to one that stops responding. */
export const connecting = Effect.fnUntraced(function* (
  address: DatabaseAddress,
  silence?: HeartbeatOptions,
  state?: PrimaryState,
) {
  yield* assertAddress(address)
  const hasPooler = "url" in address && isPooled(address.url)
  const to = "url" in address ? serverOf(address.url) : { path: pathOf(address.socketDirectory) }
  const { endAll, open, stream, watch } = serverConnections(to, silence, state)
  const config = {
    ...connection(address),
    applicationName: "token-launch-registry",
    startupParameters: {
      timezone: "UTC",
      ...(!hasPooler && { statement_timeout: String(STATEMENT_TIMEOUT_MILLIS) }),
    },
    prepare: !hasPooler,
  }
  yield* watch(config)
  const limits = { connectTimeout: CONNECT_TIMEOUT_MILLIS, maxConnections: CONNECTIONS_MAX, multiplex: true }
  // A pooler in transaction mode has no LISTEN.
  const listener = hasPooler ? undefined : { ...config, stream, connectTimeout: CONNECT_TIMEOUT_MILLIS }
  return { endAll, listener, open, pool: { ...config, stream, ...limits } }
})

const client = (address: DatabaseAddress, silence?: HeartbeatOptions) =>
  Layer.unwrap(
    Effect.gen(function* () {
      const state: PrimaryState = { isWaiting: false }
      const { listener, open, pool } = yield* connecting(address, silence, state)
      const figures = new StatementFigures()
      yield* registerStatementMetrics(figures, { open, max: pool.maxConnections })
      yield* registerPrimaryMetrics(state)
      return Layer.mergeAll(
        meteredClient(pool, figures, state),
        Layer.succeed(PrimaryState, state),
        listener === undefined ? Layer.empty : Layer.effect(CommitNotices, listening(listener)),
      )
    }),
  )

const assertAddress = Effect.fnUntraced(function* (address: DatabaseAddress) {
  const fault = "url" in address ? yield* faultOfDatabaseUrl(address.url) : undefined
  if (fault !== undefined) return yield* new DatabaseUnusable({ reason: `its URL: ${fault}` })
})

/**
 * The SQL client of a process. Columns are snake_case in the database and camelCase in code; documents (jsonb) are
 * unchanged. Waits for a database that is not available yet; a wrong password or URL fails at once.
 */
export const layer = (address: DatabaseAddress, patienceMillis?: number, silence?: HeartbeatOptions) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* awaitingDatabase(sql`select 1`, patienceMillis)
    }),
  ).pipe(Layer.provideMerge(client(address, silence)), Layer.orDie)
