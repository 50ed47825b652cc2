import type * as PgConnection from "@effect/sql-pg/PgConnection"
import { Effect } from "effect"
import { SqlError } from "effect/sql"

type Asking = PgConnection.PgConnection

/** Names a server from its start to its end. */
const ASK = "select concat(pg_postmaster_start_time(), ' ', inet_server_addr()) as server"

/** An address of two servers leads to the one that is meant within so many connections, but for one in two hundred times. */
export const CONNECTIONS_TRIED = 8

/**
 * The one server that the connections of an address lead to. An address may lead to several, such as a service of Kubernetes for all standbys: what
 * one of them has replayed would be taken for that of another. So a connection to any but the first of them is not used.
 */
export class OneServer {
  readonly #servers = new WeakMap<Asking, string>()
  #server: string | undefined
  /** Not to be the first one that is met again. */
  #left: string | undefined

  /** Whether a connection leads to this server, if that was asked before. */
  knows(connection: Asking): boolean {
    return this.#server !== undefined && this.#servers.get(connection) === this.#server
  }

  /** Whether a connection leads to this server; the first to ask decides which one it is. */
  has(connection: Asking): Effect.Effect<boolean, SqlError.SqlError> {
    const server = this.#servers.get(connection)
    if (server !== undefined) return Effect.succeed(this.#isMet(server))
    return Effect.map(connection.query(ASK), ({ rows }) => {
      const server = String(rows[0]?.server)
      this.#servers.set(connection, server)
      return this.#isMet(server)
    })
  }

  /** It is away, or not the standby that it should be: the next one may be another. */
  leave(): void {
    this.#left = this.#server
    this.#server = undefined
  }

  #isMet(server: string): boolean {
    if (this.#server === undefined && this.#left !== server) this.#server = server
    // Met again where there may be no other one.
    if (this.#server === undefined) this.#left = undefined
    return this.#server === server
  }
}

/** No connection to the server was found: a read is repeated on the primary. */
export const otherServer = () =>
  new SqlError.SqlError({
    reason: new SqlError.ConnectionError({
      cause: new Error("The address leads to another server"),
      message: "No connection to the same replica as before was found",
      operation: "acquireConnection",
    }),
  })
