import { connect, type NetConnectOpts, type Socket } from "node:net"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Clock, Context, Duration, Effect } from "effect"

export interface SilenceOptions {
  /** Between an answer and the next question. */
  readonly everyMillis: number
  /** A server that is silent for so long is given up. */
  readonly silenceMillis: number
}

/** Together two seconds more than what the server itself lets a statement take. */
const SILENCE: SilenceOptions = { everyMillis: 2_000, silenceMillis: 15_000 }

const REAL_TIME = Context.get(Context.empty(), Clock.Clock)

/**
 * The connections of a process, all ended once the server does not answer. A server that hangs, or a network that swallows what it
 * is sent, ends no connection by itself: statements on them would be waited for without end. Whether it answers is asked on a
 * connection of its own, so that a long statement is never taken for a silent server.
 */
export const serverConnections = (to: NetConnectOpts, { everyMillis, silenceMillis }: SilenceOptions = SILENCE) => {
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
  // In two steps: a process that was itself suspended reads what has come meanwhile before the second one is over.
  const orEndAll = <A, E, R>(asking: Effect.Effect<A, E, R>) =>
    Effect.suspend(() => {
      const half = silenceMillis / 2
      let timer = setTimeout(() => (timer = setTimeout(endAll, half)), half)
      return Effect.ensuring(
        asking,
        Effect.sync(() => clearTimeout(timer)),
      )
    })
  /** Ends with its connection: what fails it is an answer as well. */
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
      // Tests that move the clock do not make a server silent.
      Effect.provideService(Clock.Clock, REAL_TIME),
      Effect.forkScoped,
    )
  return { stream, watch }
}
