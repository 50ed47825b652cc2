import { SqlError } from "effect/sql"

/**
 * SQLSTATEs, or prefixes, of transient errors: connection exceptions (08), insufficient resources (53), operator
 * intervention (57P), query canceled (57014), lock not available (55P03), serialization failure (40001), deadlock
 * (40P01), read-only transaction on a standby (25006).
 */
const TRANSIENT = ["08", "53", "57P", "57014", "55P03", "40001", "40P01", "25006"]

const stateOf = (cause: unknown): string =>
  typeof cause === "object" && cause !== null && "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** The server is stopping, recovering, starting or out of resources: it will be back. */
const COMING_BACK = ["53", "57P01", "57P02", "57P03"]

/** Transient for an open connection, but permanent for a start: protocol violation (of poolers), database dropped. */
const LASTING = ["08P01", "57P04"]

const hasState = ({ reason }: SqlError.SqlError, states: ReadonlyArray<string>): boolean =>
  states.some((start) => stateOf(reason.cause).startsWith(start))

/** Whether the server reports that it will be available again. */
export const isComingBack = (error: SqlError.SqlError): boolean => hasState(error, COMING_BACK)

/** Whether a start would fail again with the same error. */
export const isLasting = (error: SqlError.SqlError): boolean => hasState(error, LASTING)

/**
 * Whether an error is a transient one of the database, so that a retry may succeed. The client maps most of these
 * SQLSTATEs to unknown errors.
 */
export const isDatabaseAway = (error: unknown): boolean =>
  SqlError.isSqlError(error) && (error.reason.isRetryable || hasState(error, TRANSIENT))

/** A write was sent to a standby: the address has led, or still leads, to a server that is no primary. */
const READ_ONLY = ["25006"]

/** Whether the server of a connection is none that takes writes. */
export const isReadOnly = (error: unknown): boolean => SqlError.isSqlError(error) && hasState(error, READ_ONLY)

/** A statement was cancelled: it took too long, and would take as long elsewhere. */
const CANCELLED = ["57014"]

/** Undefined table, column or function: a replica that has not replayed a migration yet. */
const OLDER_SCHEMA = ["42P01", "42703", "42883"]

/** Whether a read that failed on a replica may succeed on the primary; a write that a replica refused as well. */
export const isOfReplica = (error: unknown): boolean =>
  SqlError.isSqlError(error) && !hasState(error, CANCELLED) && (isDatabaseAway(error) || hasState(error, OLDER_SCHEMA))
