import { Context, Effect, type Scope } from "effect"
import type { Borrower, Connection } from "effect/sql/SqlConnection"
import type { SqlError } from "effect/sql/SqlError"

/** Connections to the replica that answers reads. */
export interface ReplicaConnections {
  readonly use: Borrower
  readonly reserve: Effect.Effect<Connection, SqlError, Scope.Scope>
  /** A read is repeated on the primary. */
  readonly noteFallback: () => void
}

/** Where the statements of one request run: on the replica, or on the primary from when it is undefined. */
export interface Source {
  replica: ReplicaConnections | undefined
}

/** The source of the request that a fiber works on; without one, statements run on the primary. */
export const ReadSource = Context.Reference<Source | undefined>("@launch-registry/postgres/ReadSource", {
  defaultValue: () => undefined,
})

/** Runs on the primary, whatever the request does else: for what a late answer would make wrong. */
export const onPrimary: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> = Effect.provideService(
  ReadSource,
  undefined,
)
