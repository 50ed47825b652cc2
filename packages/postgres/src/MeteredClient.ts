import * as PgClient from "@effect/sql-pg/PgClient"
import type * as PgConnection from "@effect/sql-pg/PgConnection"
import * as PgPool from "@effect/sql-pg/PgPool"
import { type Array as Arr, Cause, Context, Effect, Exit, Stream, String as Str } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import type { Borrower, Connection } from "effect/sql/SqlConnection"
import { camelCaseRows, camelCaseRowsOf } from "./CamelCaseRows.ts"
import { isOfReplica, isReadOnly } from "./DatabaseAway.ts"
import type { PrimaryState } from "./PrimaryState.ts"
import { ReadSource } from "./ReadSource.ts"
import type { StatementFigures } from "./StatementFigures.ts"

const MILLIS_PER_SECOND = 1_000

type Asking = PgConnection.PgConnection

/** Counts a statement from when it has its connection. One that is refused by a server that takes no writes is told of. */
const timed = <A>(
  figures: StatementFigures,
  asking: Effect.Effect<A, SqlError.SqlError>,
  onReadOnly: Effect.Effect<void>,
) =>
  // Whatever was counted as begun is counted as ended, also when it is interrupted at once.
  Effect.uninterruptibleMask((restore) => {
    const startedAt = performance.now()
    figures.statements++
    return Effect.onExit(restore(asking), (exit) => {
      figures.statements--
      figures.queries.add((performance.now() - startedAt) / MILLIS_PER_SECOND)
      if (Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause)) return Effect.void
      figures.errors++
      return isReadOnly(Cause.squash(exit.cause)) ? onReadOnly : Effect.void
    })
  })

/** A statement that writes. That a read has such a word is rare, and it is refused for as long as writes are. */
const WRITING = /\b(insert|update|delete|truncate|create|alter|drop)\b/i

const commitsWait = () =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: new Error("Commits wait for a synchronous standby that does not answer"),
      message: "A write would wait for a synchronous standby that does not answer",
      operation: "query",
    }),
  })

/** What statements run on, as the client of sql-pg has it. */
const connectionOf = (
  figures: StatementFigures,
  connection: Asking,
  primary: PrimaryState | undefined,
  onReadOnly: Effect.Effect<void>,
): Connection => {
  const asked = <A>(sql: string, asking: Effect.Effect<A, SqlError.SqlError>) =>
    Effect.suspend(() =>
      primary?.isWaiting === true && WRITING.test(sql)
        ? Effect.fail(commitsWait())
        : timed(figures, asking, onReadOnly),
    )
  const execute =
    (isPrepared: boolean): Connection["execute"] =>
    (sql, params, transform) =>
      asked(
        sql,
        Effect.map(connection.query(sql, params, isPrepared), (result) =>
          // The columns of a result are known here, so that they need not be renamed row by row.
          transform === undefined ? result.rows : camelCaseRowsOf(result),
        ),
      )
  return {
    execute: execute(true),
    executeUnprepared: execute(false),
    executeRaw: (sql, params) => asked(sql, connection.query(sql, params)),
    executeValues: (sql, params) => asked(sql, connection.queryValues(sql, params)),
    executeValuesUnprepared: (sql, params) => asked(sql, connection.queryValues(sql, params, false)),
    executeStream: (sql, params, transform) => {
      const found = connection.stream(sql, params)
      return transform === undefined
        ? found
        : Stream.mapArray(found, (rows) => transform(rows) as Arr.NonEmptyReadonlyArray<PgConnection.Row>)
    },
  }
}

/** Counts how long a connection is waited for. */
const waiting = (figures: StatementFigures) => {
  const askedAt = performance.now()
  let isWaiting = true
  figures.waiting++
  return () => {
    if (!isWaiting) return
    isWaiting = false
    figures.waiting--
    figures.waits.add((performance.now() - askedAt) / MILLIS_PER_SECOND)
  }
}

/** PostgreSQL answers `COMMIT` of an aborted transaction with `ROLLBACK`. */
const commit = (connection: Connection): Effect.Effect<void, SqlError.SqlError> =>
  Effect.flatMap(connection.executeRaw("COMMIT", []), (result) =>
    (result as PgConnection.Result).command === "ROLLBACK"
      ? Effect.fail(
          new SqlError.SqlError({
            reason: new SqlError.UnknownError({
              cause: new Error("COMMIT rolled back an aborted transaction"),
              operation: "commit",
            }),
          }),
        )
      : Effect.void,
  )

/**
 * Connections of a pool, with what runs on them counted. A connection to the `primary` that turns out to be a standby is replaced: the
 * address may lead to the primary by now, as after a failover. Writes are refused while commits wait for a synchronous standby.
 */
export const countedConnections = Effect.fnUntraced(function* (
  config: PgClient.PgPoolConfig,
  figures: StatementFigures,
  primary?: PrimaryState,
) {
  const pool = yield* PgPool.make(config)
  const known = new WeakMap<Asking, Connection>()
  const counted = (connection: Asking): Connection => {
    let one = known.get(connection)
    const onReadOnly = primary === undefined ? Effect.void : pool.invalidate(connection)
    if (one === undefined) known.set(connection, (one = connectionOf(figures, connection, primary, onReadOnly)))
    return one
  }
  const transaction = Effect.acquireRelease(
    Effect.sync(() => void figures.transactions++),
    () => Effect.sync(() => void figures.transactions--),
  )
  const use: Borrower = (work) =>
    Effect.uninterruptibleMask((restore) => {
      const isHere = waiting(figures)
      const used = pool.use((connection) => {
        isHere()
        return work(counted(connection))
      })
      return Effect.onExit(restore(used), () => Effect.sync(isHere))
    })
  const reserve = Effect.uninterruptibleMask((restore) => {
    const isHere = waiting(figures)
    return Effect.onExit(restore(pool.reserve), () => Effect.sync(isHere))
  }).pipe(Effect.tap(transaction), Effect.map(counted))
  return { get: Effect.map(pool.get, counted), use, reserve }
})

/**
 * The client of sql-pg over the same pool, with its statements counted: composed here from the parts of sql-pg, because its own
 * composition has no place to count at. Columns are snake_case in the database and camelCase in code. Statements and transactions of
 * a request with a replica run there; a statement that fails because it is one runs again on the primary.
 */
const make = Effect.fnUntraced(function* (
  config: PgClient.PgPoolConfig,
  figures: StatementFigures,
  state: PrimaryState,
) {
  // Opens no connection: it is here for the fragments and channels that are its own.
  const base = yield* PgClient.make(config)
  const primary = yield* countedConnections(config, figures, state)
  const client = yield* SqlClient.make({
    acquirer: primary.get,
    borrower: (work) =>
      Effect.withFiber((fiber) => {
        const source = Context.get(fiber.context, ReadSource)
        const replica = source?.replica
        if (source === undefined || replica === undefined) return primary.use(work)
        return Effect.catchIf(replica.use(work), isOfReplica, () => {
          source.replica = undefined
          replica.noteFallback()
          return primary.use(work)
        })
      }),
    transactionAcquirer: Effect.withFiber(
      (fiber) => Context.get(fiber.context, ReadSource)?.replica?.reserve ?? primary.reserve,
    ),
    compiler: PgClient.makeCompiler(Str.camelToSnake, false),
    driver: base.driver,
    prepareTransactionControls: true,
    commit,
    releaseSavepoint: (name) => `RELEASE SAVEPOINT ${name}`,
    spanAttributes: [["db.system.name", "postgresql"]],
    transformRows: camelCaseRows,
  })
  const { json, listen, notify } = base
  return Object.assign(client, {
    [PgClient.TypeId]: PgClient.TypeId,
    config,
    json,
    listen,
    notify,
  }) as PgClient.PgClient
})

/** `PgClient` and `SqlClient` over a pool of connections, with their statements counted. */
export const meteredClient = (config: PgClient.PgPoolConfig, figures: StatementFigures, state: PrimaryState) =>
  PgClient.layerFrom(make(config, figures, state))
