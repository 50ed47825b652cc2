import { SqlError } from "effect/sql"

/**
 * SQLSTATEs, or what they begin with, of a server that cannot do now what it can do later: lost connections (08), nothing left to
 * do it with (53), a server that stops, starts, or recovers from a crash (57P), a statement that took too long (57014), locks and
 * transactions that were in each other's way (55P03, 40001, 40P01), a standby that is about to take over (25006).
 */
const PASSING = ["08", "53", "57P", "57014", "55P03", "40001", "40P01", "25006"]

const stateOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** Of a server that stops, recovers or starts, or has nothing left: it is there, and comes back by itself. */
const COMING_BACK = ["53", "57P01", "57P02", "57P03"]

/** Of those that pass for who is connected, what a start meets again each time: a refused protocol (of poolers), a dropped database. */
const LASTING = ["08P01", "57P04"]

const hasState = ({ reason }: SqlError.SqlError, states: ReadonlyArray<string>): boolean =>
  states.some((start) => stateOf(reason.cause).startsWith(start))

/** Whether the server says that it is there and will do later what it was asked. */
export const isComingBack = (error: SqlError.SqlError): boolean => hasState(error, COMING_BACK)

/** Whether a start would be refused again with the same, however long it waits. */
export const isLasting = (error: SqlError.SqlError): boolean => hasState(error, LASTING)

/**
 * Whether an error is of a database that is away or too busy, and not of what it was asked: the same may well succeed later. Of
 * most of these SQLSTATEs the client knows nothing, and calls them unknown errors.
 */
export const isDatabaseAway = (error: unknown): boolean =>
  SqlError.isSqlError(error) && (error.reason.isRetryable || hasState(error, PASSING))
