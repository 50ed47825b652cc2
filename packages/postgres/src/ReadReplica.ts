import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { connecting, type DatabaseAddress } from "./Database.ts"
import { countedConnections } from "./MeteredClient.ts"
import { metricSeries } from "./MetricSeries.ts"
import { regularly } from "./Regularly.ts"
import { StatementFigures } from "./StatementFigures.ts"
import { type LogPosition, positionOfLsn } from "./LogPosition.ts"
import type { ReplicaConnections } from "./ReadSource.ts"

const PROBE_EVERY_MILLIS = 1_000
const PROBE_MILLIS = 2_000
const WRITTEN_MILLIS = 1_000
const LAG_MAX_MILLIS = 5_000

/** A hung replica ends its statements sooner than a hung primary: the primary answers them then. */
const HEARTBEAT = { everyMillis: 1_000, silenceMillis: 3_000 }

/** `in use` answers reads; `behind` has not replayed for too long; `not usable` is no standby, or of another cluster. */
export type ReplicaState = "in use" | "behind" | "away" | "not usable"

/** The standby that answers reads, as this process sees it. */
export interface ReadReplica extends ReplicaConnections {
  readonly state: () => ReplicaState
  readonly figures: StatementFigures
  /** Whether it answers reads, and has replayed up to `position`. */
  readonly has: (position?: LogPosition) => boolean
  /** Up to where the primary has written: what was committed before is within. */
  readonly written: Effect.Effect<LogPosition | undefined>
}

/** Undefined without a replica: everything runs on the primary then. */
export const ReadReplica = Context.Reference<ReadReplica | undefined>("@launch-registry/postgres/ReadReplica", {
  defaultValue: () => undefined,
})

const SYSTEM = "(select system_identifier::text from pg_control_system()) as system"
const ASK_PRIMARY = `select ${SYSTEM}, pg_current_wal_flush_lsn()::text as position`
const ASK_REPLICA = `select ${SYSTEM}, pg_last_wal_replay_lsn()::text as position, pg_is_in_recovery() as standby`

interface Answer {
  readonly system: string
  /** Null where a server has replayed nothing. */
  readonly position: string | null
  readonly standby?: boolean
}

const positionOf = ({ position }: Answer): LogPosition => (position === null ? 0n : positionOfLsn(position))

/** The replica at an address, which leads to one server at a time; it may be away when the process starts. */
const make = Effect.fnUntraced(function* (address: DatabaseAddress, lagMaxMillis: number) {
  const sql = yield* SqlClient
  const { endAll, pool } = yield* connecting(address, HEARTBEAT)
  const figures = new StatementFigures()
  const { reserve, use } = yield* countedConnections(pool, figures)
  let state: ReplicaState = "away"
  let replayed: LogPosition = 0n
  let fallbacks = 0
  /** As it answered last: while it does not, nothing is written. */
  let primary: Answer | undefined
  /** Where the primary was at a time, until the replica is past it: how late it is by this clock alone. */
  let mark: { readonly position: LogPosition; readonly at: number } | undefined

  const askPrimary = Effect.map(sql.unsafe<Answer>(ASK_PRIMARY), ([row]) => void (primary = row))
  const askReplica = use((connection) => connection.execute(ASK_REPLICA, [], undefined))

  const stateNow = Effect.gen(function* (): Effect.fn.Return<ReplicaState, unknown> {
    yield* Effect.ignore(Effect.timeout(askPrimary, PROBE_MILLIS))
    const now = yield* Clock.currentTimeMillis
    const [answer] = (yield* Effect.timeout(askReplica, PROBE_MILLIS)) as ReadonlyArray<Answer>
    if (answer?.standby !== true || answer.system !== primary?.system) {
      // The address may lead to another server by now.
      endAll()
      return "not usable"
    }
    replayed = positionOf(answer)
    const written = positionOf(primary)
    // A promoted standby may have less than the primary before it.
    if (mark === undefined || written < mark.position) mark = { at: now, position: written }
    const isLate = now - mark.at > lagMaxMillis
    const isPast = replayed >= mark.position
    if (isPast) mark = { at: now, position: written }
    return !isLate && (isPast || state === "in use") ? "in use" : "behind"
  }).pipe(Effect.catchCause(() => Effect.succeed<ReplicaState>("away")))

  const probe = Effect.gen(function* () {
    const before = state
    state = yield* stateNow
    if (state === before) return
    const said = `The read replica of the database is ${state}, it was ${before}`
    yield* state === "in use" ? Effect.logInfo(said) : Effect.logWarning(said)
  })

  const { counter, gauge } = yield* metricSeries
  gauge("database_replica_in_use", "Whether the replica answers reads: 1 or 0", {}, () => (state === "in use" ? 1 : 0))
  counter(
    "database_replica_fallbacks_total",
    "Reads that failed on the replica and ran again on the primary",
    {},
    () => fallbacks,
  )
  yield* Effect.forkScoped(regularly("Asking the replica of the database", PROBE_EVERY_MILLIS, probe))

  return {
    ...{ figures, reserve, use },
    state: () => state,
    has: (position = 0n) => state === "in use" && replayed >= position,
    noteFallback: () => void fallbacks++,
    written: sql<{ readonly position: string }>`select pg_current_wal_insert_lsn()::text as position`.pipe(
      Effect.map(([row]) => row && positionOfLsn(row.position)),
      // What was written is committed: its answer does not wait for a primary that has just gone.
      Effect.timeout(WRITTEN_MILLIS),
      Effect.catch(() => Effect.succeed(undefined)),
    ),
  } satisfies ReadReplica
})

/** A standby that answers reads while it is at most so late; 5 s by default. Fails with an address that is none. */
export const layer = (address: DatabaseAddress, lagMaxMillis: number = LAG_MAX_MILLIS) =>
  Layer.effect(ReadReplica, make(address, lagMaxMillis)).pipe(Layer.orDie)
