import { Effect, Schema } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { connecting, type DatabaseAddress } from "../Database.ts"
import { countedConnections } from "../MeteredClient.ts"
import { StatementFigures } from "../StatementFigures.ts"
import { type LogPosition, positionOfLsn } from "./LogPosition.ts"
import { OneServer } from "./OneServer.ts"
import type { ReplicaConnections } from "./ReadSource.ts"

/**
 * What is known of a replica. `in_use` answers reads; `behind` has not replayed for too long; `away` does not answer; `not_standby` takes writes, so it was
 * promoted, or is the primary; `diverged` has more than the primary, so it follows one that was left in a failover; `other_cluster` is of
 * another database system; `unverified` was not asked yet.
 */
export type ReplicaState = "in_use" | "behind" | "away" | "not_standby" | "diverged" | "other_cluster" | "unverified"

/** A hung replica ends its statements sooner than a hung primary: the primary answers them then. */
const HEARTBEAT = { everyMillis: 1_000, silenceMillis: 3_000 }

/** What a server says of itself. */
const Answer = Schema.Struct({
  standby: Schema.Boolean,
  system: Schema.String,
  /** Null before a standby has replayed anything. */
  position: Schema.NullOr(Schema.String),
})

/** A server as it answered. */
export interface ServerState {
  readonly isStandby: boolean
  /** `system_identifier` of its cluster. */
  readonly system: string
  /** What a standby has replayed, what a primary has flushed. */
  readonly position: LogPosition | undefined
}

const ASK = `
  select pg_is_in_recovery() as standby, (select system_identifier::text from pg_control_system()) as system,
    (case when pg_is_in_recovery() then pg_last_wal_replay_lsn() else pg_current_wal_flush_lsn() end)::text as position`

const stateOf = ([row]: ReadonlyArray<unknown>) =>
  Effect.map(Schema.decodeUnknownEffect(Answer)(row), ({ position, standby, system }): ServerState => ({
    ...{ isStandby: standby, system },
    position: position === null ? undefined : positionOfLsn(position),
  }))

/** A replica with its connections, and what the last probe of it found. */
export interface ReadReplica extends ReplicaConnections {
  readonly figures: StatementFigures
  state: ReplicaState
  /** What it has replayed. */
  position: LogPosition
  fallbacks: number
  /** The address may lead to another server: the next one that is met is this replica. */
  readonly leave: () => void
}

/** The replica at an address, one server of them if there are several; connects when it is first used. */
export const readReplica = Effect.fnUntraced(function* (name: string, address: DatabaseAddress) {
  const { pool } = yield* connecting(address, HEARTBEAT)
  const figures = new StatementFigures()
  const server = new OneServer()
  const { reserve, use } = yield* countedConnections(pool, figures, undefined, server)
  const replica: ReadReplica = {
    ...{ name, figures, reserve, use },
    ...{ state: "unverified", position: 0n, fallbacks: 0 },
    noteFallback: () => void replica.fallbacks++,
    leave: () => server.leave(),
  }
  return replica
})

/** Asks a replica by its own connections. */
export const askReplica = ({ use }: ReplicaConnections) =>
  Effect.flatMap(
    use((connection) => connection.execute(ASK, [], undefined)),
    stateOf,
  )

/** Asks the primary. */
export const askPrimary = (sql: SqlClient) => Effect.flatMap(sql.unsafe(ASK), stateOf)
