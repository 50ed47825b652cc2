import { connect, type NetConnectOpts, type Socket } from "node:net"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Clock, Context, Duration, Effect, Option } from "effect"
import type { PrimaryState } from "./durability/DatabaseDurability.ts"
import { DURABILITY_COLUMNS, durabilityOf } from "./durability/Durability.ts"

export interface HeartbeatOptions {
  /** Interval of heartbeats. */
  readonly everyMillis: number
  /** A server that does not respond for this long is considered dead. */
  readonly silenceMillis: number
  /** Commits that wait for this long for a synchronous standby are given up; 5 seconds by default. */
  readonly commitMillis?: number
}

/** In total two seconds more than the statement timeout. */
const DEFAULTS: HeartbeatOptions = { everyMillis: 2_000, silenceMillis: 15_000 }

/** After so many answers the heartbeat connects again, to learn where the address leads by now. */
const ANSWERS_PER_CONNECTION = 5

/** Names a server from its start to its end. */
const ASK = `select pg_postmaster_start_time()::text as server, pg_is_in_recovery() as standby, ${DURABILITY_COLUMNS}`

const COMMIT_MILLIS = 5_000

/** A commit that changes nothing: it ends when every commit before it has. */
const COMMIT = "select pg_logical_emit_message(true, 'token-launch-registry', '')"

const REAL_TIME = Context.get(Context.empty(), Clock.Clock)

/**
 * The connections of a process, closed when the server stops responding. A hung server, or a network that drops
 * packets, closes no connection, so statements would wait forever. Heartbeats use a connection of their own, so that a
 * long statement does not count as unresponsive.
 *
 * The address may be moved to another server, as in a failover, while the former one goes on answering: then connections that were
 * opened before are closed as well, or writes would go to a server that the others have left. What is learnt of a primary is noted in
 * `state`; without one, the server is a replica.
 */
export const serverConnections = (
  to: NetConnectOpts,
  { commitMillis = COMMIT_MILLIS, everyMillis, silenceMillis }: HeartbeatOptions = DEFAULTS,
  state?: PrimaryState,
) => {
  const open = new Set<Socket>()
  const stream = () => {
    const socket = connect({ ...to, noDelay: true })
    open.add(socket)
    socket.once("close", () => open.delete(socket))
    return socket
  }
  const endAll = () => {
    for (const socket of open) socket.destroy()
  }
  // In two steps: a process that was suspended itself reads pending responses before the second timer fires.
  const orEndAll = <A, E, R>(asking: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const half = silenceMillis / 2
      let timer = setTimeout(() => (timer = setTimeout(endAll, half)), half)
      return Effect.ensuring(
        asking,
        Effect.sync(() => clearTimeout(timer)),
      )
    })
  /** The server that answered last; unknown after its connection was lost, because all others to it are lost as well then. */
  let server: unknown
  /** How often in a row commits were not answered. */
  let unanswered = 0
  /**
   * Whether commits are answered. Where synchronous standbys are missing they wait for ever, and no timeout of PostgreSQL ends that: the
   * connections are closed, so that whoever waits for a commit learns that it is not known to be durable. Writes are refused from then on.
   */
  const lookAtCommits = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, state: PrimaryState) {
    const answer = yield* Effect.timeoutOption(connection.query(COMMIT), commitMillis)
    if (Option.isSome(answer)) {
      if (state.isWaiting) yield* Effect.logInfo("Commits are answered again: writes are taken")
      state.isWaiting = false
      unanswered = 0
      return
    }
    if (!state.isWaiting)
      yield* Effect.logError("Commits wait for a synchronous standby that does not answer: writes are refused")
    state.isWaiting = true
    // Once more for transactions that had written before writes were refused; then only reads are left.
    if (++unanswered <= 2) endAll()
  })
  /** Ends with its connection, or after some answers: an error is a response as well. */
  const asking = (config: PgConnection.Config) =>
    Effect.gen(function* () {
      const connection = yield* orEndAll(PgConnection.make({ ...config, stream, connectTimeout: Duration.infinity }))
      for (let answers = 0; answers < ANSWERS_PER_CONNECTION; answers++) {
        const { rows } = yield* orEndAll(connection.query(ASK))
        // An address of replicas may lead to several of them.
        if (state === undefined) {
          yield* Effect.sleep(everyMillis)
          continue
        }
        const before = server
        server = rows[0]?.server
        if (before !== undefined && before !== server) {
          yield* Effect.logWarning(
            "The address of the database leads to another server: its connections are opened again",
          )
          endAll()
        }
        state.durability = durabilityOf(rows[0])
        if (state.durability?.level === "replicated" && rows[0]?.standby === false)
          yield* lookAtCommits(connection, state)
        else {
          state.isWaiting = false
          unanswered = 0
        }
        yield* Effect.sleep(everyMillis)
      }
    }).pipe(
      Effect.scoped,
      Effect.onError(() => Effect.sync(() => (server = undefined))),
    )
  const watch = (config: PgConnection.Config) =>
    Effect.sleep(everyMillis).pipe(
      Effect.andThen(Effect.ignore(asking(config))),
      Effect.forever,
      // Independent of TestClock.
      Effect.provideService(Clock.Clock, REAL_TIME),
      Effect.forkScoped,
    )
  return { stream, watch, open: () => open.size }
}
