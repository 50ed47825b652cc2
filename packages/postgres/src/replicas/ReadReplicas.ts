import { Clock, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { DatabaseAddress } from "../Database.ts"
import { regularly } from "../Regularly.ts"
import { LagClock } from "./LagClock.ts"
import { type LogPosition, positionOfLsn } from "./LogPosition.ts"
import { askPrimary, askReplica, type ReadReplica, readReplica, type ReplicaState } from "./ReadReplica.ts"
import type { ReplicaConnections } from "./ReadSource.ts"
import { registerReplicaMetrics } from "./ReplicaMetrics.ts"

const PROBE_EVERY_MILLIS = 1_000
const PROBE_MILLIS = 2_000
const WRITTEN_MILLIS = 1_000
const LAG_MAX_MILLIS = 5_000

export interface ReplicaOptions {
  readonly addresses: ReadonlyArray<DatabaseAddress>
  /** A replica whose answers are older than this is not used; 5 s by default. */
  readonly lagMaxMillis?: number
}

/** A replica as operators see it. */
export interface ReplicaReport {
  readonly name: string
  readonly state: ReplicaState
  readonly millisBehind: number
  readonly bytesBehind: bigint
}

/** The replicas of a process. */
export interface ReadReplicas {
  /** A replica in use that has replayed up to `position`, one after the other; undefined without one. */
  readonly choose: (position?: LogPosition) => ReplicaConnections | undefined
  /** Up to where the primary has written: what was committed before is within. */
  readonly written: Effect.Effect<LogPosition | undefined>
  readonly report: Effect.Effect<ReadonlyArray<ReplicaReport>>
  /** Asks primary and replicas once. */
  readonly probe: Effect.Effect<void>
}

/** Undefined without replicas: everything runs on the primary then. */
export const ReadReplicas = Context.Reference<ReadReplicas | undefined>(
  "@launch-registry/postgres/replicas/ReadReplicas",
  { defaultValue: () => undefined },
)

const make = Effect.fnUntraced(function* ({ addresses, lagMaxMillis = LAG_MAX_MILLIS }: ReplicaOptions) {
  const sql = yield* SqlClient
  const replicas: ReadonlyArray<ReadReplica> = yield* Effect.forEach(addresses, (address, index) =>
    readReplica(`replica-${index + 1}`, address),
  )
  const lag = new LagClock()
  /** Of the primary's cluster, once it has answered. */
  let system: string | undefined
  /** What the primary had written when it was asked in this round. */
  let writtenNow: LogPosition | undefined
  let turn = 0

  const observe = Effect.gen(function* () {
    const primary = yield* askPrimary(sql)
    system = primary.system
    writtenNow = primary.position
    if (primary.position !== undefined) lag.observe(yield* Clock.currentTimeMillis, primary.position)
  })

  /** Whether what a replica had `before` the primary was asked is more than the primary has. It stays so until the replica moves. */
  const isDiverged = ({ position, state }: ReadReplica, before: LogPosition): boolean =>
    position === before && state === "diverged"
      ? true
      : position >= before && writtenNow !== undefined && before > writtenNow

  const stateOf = (replica: ReadReplica) =>
    askReplica(replica).pipe(
      Effect.timeout(PROBE_MILLIS),
      Effect.flatMap((answer) =>
        Effect.map(Clock.currentTimeMillis, (now): ReplicaState => {
          // Whether it is of the same cluster is known once the primary has answered.
          if (system === undefined) return "unverified"
          if (answer.system !== system) return "other_cluster"
          if (!answer.isStandby) return "not_standby"
          if (answer.position === undefined) return "behind"
          const before = replica.position
          replica.position = answer.position
          if (isDiverged(replica, before)) return "diverged"
          return lag.millisBehind(now, answer.position) > lagMaxMillis ? "behind" : "in_use"
        }),
      ),
      Effect.catchCause(() => Effect.succeed<ReplicaState>("away")),
    )

  const probeOne = Effect.fnUntraced(function* (replica: ReadReplica) {
    const before = replica.state
    replica.state = yield* stateOf(replica)
    if (replica.state === "away" || replica.state === "not_standby") replica.leave()
    if (replica.state === before) return
    const said = `Database replica ${replica.name} is ${replica.state}, it was ${before}`
    yield* replica.state === "in_use" ? Effect.logInfo(said) : Effect.logWarning(said)
  })

  const probe = Effect.andThen(
    Effect.andThen(
      Effect.sync(() => (writtenNow = undefined)),
      // Without the primary, what is known of it stays: nothing is written meanwhile.
      Effect.ignore(Effect.timeout(observe, PROBE_MILLIS)),
    ),
    Effect.forEach(replicas, probeOne, { concurrency: "unbounded", discard: true }),
  )

  const written = sql<{ readonly position: string }>`select pg_current_wal_insert_lsn()::text as position`.pipe(
    Effect.map(([row]) => (row === undefined ? undefined : positionOfLsn(row.position))),
    // What was written is committed: its answer does not wait for a primary that has just gone.
    Effect.timeout(WRITTEN_MILLIS),
    Effect.catch(() => Effect.succeed(undefined)),
  )

  const reportOf = (replica: ReadReplica, now: number): ReplicaReport => ({
    ...{ name: replica.name, state: replica.state },
    millisBehind: lag.millisBehind(now, replica.position),
    bytesBehind: lag.bytesBehind(replica.position),
  })
  const report = Effect.map(Clock.currentTimeMillis, (now) => replicas.map((one) => reportOf(one, now)))

  yield* registerReplicaMetrics(replicas, (replica) => reportOf(replica, Date.now()))
  yield* Effect.forkScoped(regularly("Asking the replicas of the database", PROBE_EVERY_MILLIS, probe))

  return {
    ...{ probe, report, written },
    choose: (position: LogPosition = 0n) => {
      const usable = replicas.filter((one) => one.state === "in_use" && one.position >= position)
      return usable[turn++ % usable.length]
    },
  } satisfies ReadReplicas
})

/** Replicas that answer reads; they may be away when the process starts. Fails with an address that is none. */
export const layer = (options: ReplicaOptions) => Layer.effect(ReadReplicas, make(options)).pipe(Layer.orDie)
