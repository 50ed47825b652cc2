import type { NetConnectOpts } from "node:net"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted } from "effect"

/** The driver quotes a wrong port or sslmode, where a piece of a password may stand that was not encoded. */
const QUOTED_VALUE = /: ".*"$/s

/**
 * What is wrong with a connection string, without anything of it, or `undefined`. The driver itself reads it, up to where it would
 * connect: such faults look like a server that is away, and no waiting mends them.
 */
export const faultOfDatabaseUrl = (url: Redacted.Redacted): Effect.Effect<string | undefined> =>
  Effect.suspend(() => {
    let isRead = false
    const stream = () => {
      isRead = true
      throw new Error("No connection is wanted")
    }
    return PgConnection.make({ url, stream }).pipe(
      Effect.scoped,
      Effect.as(undefined),
      Effect.catch(({ reason }) =>
        Effect.succeed(
          isRead ? undefined : (reason.message ?? "").replace(/^PgConnection: /, "").replace(QUOTED_VALUE, ""),
        ),
      ),
    )
  })

/** Where a connection string without fault leads to, as the driver reads it. */
export const serverOf = (url: Redacted.Redacted): NetConnectOpts => {
  const { hostname, port: written, searchParams } = new URL(Redacted.value(url))
  const host = searchParams.getAll("host").at(-1) ?? decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1")
  const port = Number(searchParams.getAll("port").at(-1) ?? (written === "" ? 5432 : written))
  if (host.startsWith("/")) return { path: `${host}/.s.PGSQL.${port}` }
  return { host: host === "" ? "localhost" : host, port }
}
