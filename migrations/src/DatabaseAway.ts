import { SqlError } from "effect/sql"

/**
 * SQLSTATEs, or what they begin with, of a server that cannot do now what it can do later: lost connections (08), nothing left to
 * do it with (53), a server that stops, starts, or recovers from a crash (57P), a statement that took too long (57014), locks and
 * transactions that were in each other's way (55P03, 40001, 40P01), a standby that is about to take over (25006).
 */
const PASSING = ["08", "53", "57P", "57014", "55P03", "40001", "40P01", "25006"]

const stateOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** Whether the server itself says, with such a SQLSTATE, that the same may well succeed later. */
export const isPassingState = ({ reason }: SqlError.SqlError): boolean =>
  PASSING.some((start) => stateOf(reason.cause).startsWith(start))

/**
 * Whether an error is of a database that is away or too busy, and not of what it was asked: the same may well succeed later. Of
 * most of these SQLSTATEs the client knows nothing, and calls them unknown errors.
 */
export const isDatabaseAway = (error: unknown): boolean =>
  SqlError.isSqlError(error) && (error.reason.isRetryable || isPassingState(error))
