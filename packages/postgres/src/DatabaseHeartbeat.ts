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

const REAL_TIME = Context.get(Context.empty(), Clock.Clock)

/**
 * The connections of a process, closed when the server stops responding. A hung server, or a network that drops
 * packets, closes no connection, so statements would wait forever. Heartbeats use a connection of their own, so that a
 * long statement does not count as unresponsive.
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
  /** Ends with its connection: an error is a response as well. */
  const asking = (config: PgConnection.Config) =>
    Effect.gen(function* () {
      const connection = yield* orEndAll(PgConnection.make({ ...config, stream, connectTimeout: Duration.infinity }))
      while (true) {
        yield* orEndAll(connection.query("select 1"))
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
  return { stream, watch, open: () => open.size }
}
