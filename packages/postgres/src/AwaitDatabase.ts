import { Cause, Clock, Effect, Schedule, Schema } from "effect"
import { SqlError } from "effect/sql"
import { MigrationError } from "effect/sql/Migrator"
import { isComingBack, isDatabaseAway, isLasting } from "./DatabaseAway.ts"

/** What may pass, and of which no server says that it will, gets this long: nobody there, a standby that may take over. */
const PATIENCE_MILLIS = 60_000
const RETRY_MILLIS = 500

/** The database cannot be used. `reason` holds no password. */
export class DatabaseUnusable extends Schema.TaggedError<DatabaseUnusable>()("DatabaseUnusable", {
  reason: Schema.String,
}) {
  override get message(): string {
    return `The database cannot be used: ${this.reason}`
  }
}

/** In one line. Several addresses that refuse are an error without a message. */
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

/** What waiting may mend. A migration whose own statement takes too long would take too long again. */
const passing = (error: unknown): SqlError.SqlError | undefined => {
  const isOfMigration = error instanceof MigrationError
  const cause = isOfMigration ? error.cause : error
  if (!SqlError.isSqlError(cause) || !isDatabaseAway(cause) || isLasting(cause)) return undefined
  return isOfMigration && cause.reason._tag === "StatementTimeoutError" ? undefined : cause
}

/** Of a lost connection the rollback fails as well, and dies: whatever else is in a cause, it is of that. */
const passingCause = <E>(cause: Cause.Cause<E>): Cause.Cause<E> | undefined => {
  const errors = cause.reasons.map((one) =>
    Cause.isFailReason(one) ? one.error : Cause.isDieReason(one) ? one.defect : undefined,
  )
  const error = errors.find((one) => passing(one) !== undefined)
  return error === undefined ? undefined : Cause.fail(error as E)
}

/**
 * Does what a start does with the database, again from the beginning until the database was there for all of it. A server that
 * says that it starts, stops, recovers or is too busy is waited for as long as it says so; anything else that may pass, as one
 * that cannot be reached, until patience is over. What no waiting mends (a wrong password, a database that is not there, a
 * pooler that refuses a startup parameter) ends the start at once.
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
      if (said !== reason) yield* Effect.logWarning(`The database does not answer yet, and is waited for: ${reason}`)
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
