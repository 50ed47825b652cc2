import { connect, type NetConnectOpts, type Socket } from "node:net"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Clock, Context, Duration, Effect, Option } from "effect"
import type { PrimaryState } from "./PrimaryState.ts"

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

/** Whether commits wait for standbys is asked of any role; `local` and `off` wait for none. */
const ASK = `
  select pg_is_in_recovery() as standby, current_setting('synchronous_standby_names') <> '' and
    current_setting('synchronous_commit') not in ('local', 'off') as replicates`

const COMMIT_MILLIS = 5_000

/** A commit that changes nothing: it ends when every commit before it has. */
const COMMIT = "select pg_logical_emit_message(true, 'token-launch-registry', '')"

const REAL_TIME = Context.get(Context.empty(), Clock.Clock)

/**
 * The connections of a process, closed when the server stops responding. A hung server, or a network that drops
 * packets, closes no connection, so statements would wait forever. Heartbeats use a connection of their own, so that a
 * long statement does not count as unresponsive.
 *
 * What is learnt of a primary is noted in `state`; without one, the server is a replica.
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
  /** How often in a row commits were not answered. */
  let unanswered = 0
  const noteCommits = (state: PrimaryState) => {
    state.isWaiting = false
    unanswered = 0
  }
  /**
   * Whether commits are answered. Where synchronous standbys are missing they wait for ever, and no timeout of PostgreSQL ends that: the
   * connections are closed, so that whoever waits for a commit learns that it is not known to be durable. Writes are refused from then on.
   */
  const lookAtCommits = Effect.fnUntraced(function* (connection: PgConnection.PgConnection, state: PrimaryState) {
    const answer = yield* Effect.timeoutOption(connection.query(COMMIT), commitMillis)
    if (Option.isSome(answer)) {
      if (state.isWaiting) yield* Effect.logInfo("Commits are answered again: writes are taken")
      return noteCommits(state)
    }
    if (!state.isWaiting)
      yield* Effect.logError("Commits wait for a synchronous standby that does not answer: writes are refused")
    state.isWaiting = true
    // Once more for transactions that had written before writes were refused; then only reads are left.
    if (++unanswered <= 2) endAll()
  })
  /** Ends with its connection, or at a standby, after which the address may lead to the primary. An error is a response as well. */
  const asking = (config: PgConnection.Config) =>
    Effect.gen(function* () {
      const connection = yield* orEndAll(PgConnection.make({ ...config, stream, connectTimeout: Duration.infinity }))
      while (true) {
        const { rows } = yield* orEndAll(connection.query(ASK))
        if (state !== undefined) {
          if (rows[0]?.standby === true) return
          if (rows[0]?.replicates === true) yield* lookAtCommits(connection, state)
          else noteCommits(state)
        }
        yield* Effect.sleep(everyMillis)
      }
    }).pipe(Effect.scoped)
  const watch = (config: PgConnection.Config) =>
    Effect.sleep(everyMillis).pipe(
      Effect.andThen(Effect.ignore(asking(config))),
      Effect.forever,
      // Independent of TestClock.
      Effect.provideService(Clock.Clock, REAL_TIME),
      Effect.forkScoped,
    )
  return { endAll, stream, watch, open: () => open.size }
}
