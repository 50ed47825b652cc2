import { connect, type NetConnectOpts, type Socket } from "node:net"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Clock, Context, Duration, Effect } from "effect"

export interface HeartbeatOptions {
  /** Interval of heartbeats. */
  readonly everyMillis: number
  /** A server that does not respond for this long is considered dead. */
  readonly silenceMillis: number
}

/** In total two seconds more than the statement timeout. */
const DEFAULTS: HeartbeatOptions = { everyMillis: 2_000, silenceMillis: 15_000 }

/** After so many answers the heartbeat connects again, to learn where the address leads by now. */
const ANSWERS_PER_CONNECTION = 5

/** Names a server from its start to its end. */
const WHICH_SERVER = "select pg_postmaster_start_time()::text as server"

const REAL_TIME = Context.get(Context.empty(), Clock.Clock)

/**
 * The connections of a process, closed when the server stops responding. A hung server, or a network that drops
 * packets, closes no connection, so statements would wait forever. Heartbeats use a connection of their own, so that a
 * long statement does not count as unresponsive.
 *
 * The address may be moved to another server, as in a failover, while the former one goes on answering: then connections that were
 * opened before are closed as well, or writes would go to a server that the others have left.
 */
export const serverConnections = (to: NetConnectOpts, { everyMillis, silenceMillis }: HeartbeatOptions = DEFAULTS) => {
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
  /** Ends with its connection, or after some answers: an error is a response as well. */
  const asking = (config: PgConnection.Config) =>
    Effect.gen(function* () {
      const connection = yield* orEndAll(PgConnection.make({ ...config, stream, connectTimeout: Duration.infinity }))
      for (let answers = 0; answers < ANSWERS_PER_CONNECTION; answers++) {
        const { rows } = yield* orEndAll(connection.query(WHICH_SERVER))
        const before = server
        server = rows[0]?.server
        if (before !== undefined && before !== server) {
          yield* Effect.logWarning(
            "The address of the database leads to another server: its connections are opened again",
          )
          endAll()
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
