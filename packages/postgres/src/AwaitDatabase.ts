import { Cause, Clock, Effect, Schedule, Schema } from "effect"
import { SqlError } from "effect/sql"
import { MigrationError } from "effect/sql/Migrator"
import { isComingBack, isDatabaseAway, isLasting } from "./DatabaseAway.ts"

/**
 * Timeout for transient errors of a database that does not report to be coming back: unreachable, or a standby before
 * its promotion.
 */
const PATIENCE_MILLIS = 60_000
const RETRY_MILLIS = 500

/** The database cannot be used. `reason` has no password. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>()("DatabaseUnusable", {
  reason: Schema.String,
}) {
  override get message(): string {
    return `The database cannot be used: ${this.reason}`
  }
}

/** An error on one line. Failed connections to several addresses make an error without a message. */
const lineOf = (cause: unknown): string => {
  if (!(cause instanceof Error)) return String(cause)
  const text = cause.message === "" && "code" in cause ? String(cause.code) : cause.message
  return text.replaceAll(/\s+/g, " ").trim()
}

const reasonOf = (error: SqlError.SqlError | MigrationError): string => {
  if (SqlError.isSqlError(error)) return lineOf(error.reason.cause ?? error)
  const { cause, message } = error
  return SqlError.isSqlError(cause) ? `${message}: ${reasonOf(cause)}` : lineOf(error)
}

/** The transient error behind `error`, if any. A timed-out statement of a migration would time out again. */
const passing = (error: unknown): SqlError.SqlError | undefined => {
  const isOfMigration = error instanceof MigrationError
  const cause = isOfMigration ? error.cause : error
  if (!SqlError.isSqlError(cause) || !isDatabaseAway(cause) || isLasting(cause)) return undefined
  return isOfMigration && cause.reason._tag === "StatementTimeoutError" ? undefined : cause
}

/**
 * The transient error of a cause, if any. After a lost connection the rollback dies as well, so a cause can have
 * several errors.
 */
const passingCause = <E>(cause: Cause.Cause<E>): Cause.Cause<E> | undefined => {
  const errors = cause.reasons.map((one) =>
    Cause.isFailReason(one) ? one.error : Cause.isDieReason(one) ? one.defect : undefined,
  )
  const error = errors.find((one) => passing(one) !== undefined)
  return error === undefined ? undefined : Cause.fail(error as E)
}

/**
 * Runs a start-up step, and restarts it after transient database errors. A server that reports that it is starting,
 * stopping, recovering or out of resources is waited for indefinitely; other transient errors, such as an unreachable
 * server, until the timeout. Permanent errors (wrong password, missing database, a pooler that rejects a startup
 * parameter) fail at once.
 */
export const awaitingDatabase = <A, E, R>(
  work: Effect.Effect<A, E, R>,
  patienceMillis: number = PATIENCE_MILLIS,
): Effect.Effect<A, Exclude<E, SqlError.SqlError | MigrationError> | DatabaseUnusable, R> =>
  Effect.suspend(() => {
    let silentSince: number | undefined
    let said: string | undefined
    const isWaitedFor = Effect.fnUntraced(function* (error: E) {
      const away = passing(error)
      if (away === undefined) return false
      const reason = reasonOf(away)
      if (said !== reason) yield* Effect.logWarning(`The database is not available yet, retrying: ${reason}`)
      said = reason
      const now = yield* Clock.currentTimeMillis
      silentSince = isComingBack(away) ? undefined : (silentSince ?? now)
      return silentSince === undefined || now - silentSince < patienceMillis
    })
    return work.pipe(
      Effect.catchCause((cause) => Effect.failCause(passingCause(cause) ?? cause)),
      Effect.retry({ schedule: Schedule.spaced(RETRY_MILLIS), while: isWaitedFor }),
      Effect.mapError((error) =>
        isOfDatabase(error)
          ? new DatabaseUnusable({ reason: reasonOf(error) })
          : (error as Exclude<E, SqlError.SqlError | MigrationError>),
      ),
    )
  })

const isOfDatabase = (error: unknown): error is SqlError.SqlError | MigrationError =>
  SqlError.isSqlError(error) || error instanceof MigrationError
