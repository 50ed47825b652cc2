import type { NetConnectOpts } from "node:net"
import * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect, Redacted } from "effect"

/** The driver quotes an invalid port or sslmode, which may be part of a password that was not percent-encoded. */
const QUOTED_VALUE = /: ".*"$/s

/**
 * The fault of a connection string, without any part of it, or `undefined`. The driver itself parses it, up to where it
 * would connect: when connecting, such faults look like an unreachable server.
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

/**
 * Whether a pooler in transaction mode is in between: it takes no `statement_timeout`, and a prepared statement may be met
 * by another server connection. Prisma's parameter names it; the driver ignores it.
 */
export const isPooled = (url: Redacted.Redacted): boolean =>
  URL.parse(Redacted.value(url))?.searchParams.get("pgbouncer") === "true"

/** Host and port, or socket, of a valid connection string, as the driver reads it. */
export const serverOf = (url: Redacted.Redacted): NetConnectOpts => {
  const { hostname, port: written, searchParams } = new URL(Redacted.value(url))
  const host = searchParams.getAll("host").at(-1) ?? decodeURIComponent(hostname).replace(/^\[(.*)\]$/, "$1")
  const port = Number(searchParams.getAll("port").at(-1) ?? (written === "" ? 5432 : written))
  if (host.startsWith("/")) return { path: `${host}/.s.PGSQL.${port}` }
  return { host: host === "" ? "localhost" : host, port }
}
