import type { Redacted } from "effect"
import { buildConnector } from "undici"
import { CONNECT_TIMEOUT_MILLIS, type HttpReply, HttpTarget, type Posted } from "./HttpTarget.ts"
import { ConnectionOver, SocketConnection } from "./SocketConnection.ts"

/**
 * Longer than a call waits: a new connection to a distant endpoint takes several round trips, and can then serve the
 * next call.
 */
const VERIFICATION_MILLIS = 2_000
/** A proxy can lead a connection elsewhere without closing it. */
const VERIFIED_FOR_MILLIS = 60_000
/** Most connections being opened at once; further calls wait for a free or new one. */
const OPENING_MAX = 64
/** Connections that a call finds closed before it is sent. A server that closes each after one answer cannot be used. */
const CLOSED_MAX = 3

export interface VerifiedConnectionsOptions {
  readonly url: Redacted.Redacted
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Asks for the genesis hash with the given function. Rejects when the connection may not be used. */
  readonly verify: (post: (posted: Posted) => Promise<HttpReply>) => Promise<void>
}

/**
 * Kept-alive connections to one endpoint. On each of them the genesis hash is asked for before anything else, and again
 * once that is a minute old, because a proxy may route later requests to another machine.
 */
export class VerifiedConnections {
  readonly #options: VerifiedConnectionsOptions
  readonly #target: HttpTarget
  readonly #connector = buildConnector({ allowH2: false, timeout: CONNECT_TIMEOUT_MILLIS })
  readonly #all = new Set<SocketConnection>()
  /** Last in, first out, so that the extra connections of a burst idle out. */
  readonly #idle: Array<SocketConnection> = []
  /** Waiting calls take the next free or new connection. */
  readonly #waiting: Array<PromiseWithResolvers<SocketConnection>> = []
  #opening = 0

  constructor(options: VerifiedConnectionsOptions) {
    this.#options = options
    this.#target = new HttpTarget(options.url)
  }

  /**
   * Rejects with what `verify` or `HttpTarget` rejects with. `onReady` is called when a verified connection is there. A call that is
   * cancelled earlier leaves its pending connection to the next one.
   */
  async post(posted: Posted, signal: AbortSignal, onReady = () => {}): Promise<HttpReply> {
    for (let closed = 0; ;) {
      signal.throwIfAborted()
      const idle = this.#idle.pop()
      const connection = idle ?? (await this.#next(signal))
      try {
        if (this.#options.now() - connection.verifiedAt > VERIFIED_FOR_MILLIS) await this.#verify(connection)
        if (!signal.aborted) {
          onReady()
          return await connection.post(posted, signal)
        }
      } catch (error) {
        // The other side closed it while it was idle, or after its last answer.
        if (!(error instanceof ConnectionOver) || (idle === undefined && ++closed === CLOSED_MAX)) throw error
      } finally {
        this.#free(connection)
      }
    }
  }

  /** Ends all connections; requests in flight on them fail with this reason. */
  async end(reason: Error): Promise<void> {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(reason)
    await Promise.all([...this.#all].map((connection) => connection.end(reason)))
  }

  #next(signal: AbortSignal): Promise<SocketConnection> {
    const waiting = Promise.withResolvers<SocketConnection>()
    const leave = () => {
      const index = this.#waiting.indexOf(waiting)
      if (index === -1) return
      this.#waiting.splice(index, 1)
      waiting.reject(signal.reason)
    }
    signal.addEventListener("abort", leave, { once: true })
    this.#waiting.push(waiting)
    this.#openAnother()
    return waiting.promise.finally(() => signal.removeEventListener("abort", leave))
  }

  #openAnother(): void {
    if (this.#opening < Math.min(this.#waiting.length, OPENING_MAX)) void this.#open()
  }

  async #open(): Promise<void> {
    this.#opening++
    try {
      const connection = this.#connection()
      await this.#verify(connection)
      this.#give(connection)
    } catch (error) {
      this.#waiting.shift()?.reject(error)
    }
    this.#opening--
    this.#openAnother()
  }

  #connection(): SocketConnection {
    const connection = new SocketConnection(this.#target, this.#connector, (over) => this.#forget(over))
    this.#all.add(connection)
    return connection
  }

  async #verify(connection: SocketConnection): Promise<void> {
    try {
      await this.#options.verify((posted) => connection.post(posted, AbortSignal.timeout(VERIFICATION_MILLIS)))
      connection.verifiedAt = this.#options.now()
    } catch (error) {
      void connection.end(new ConnectionOver())
      throw error
    }
  }

  #free(connection: SocketConnection): void {
    if (!connection.isOver) this.#give(connection)
  }

  #give(connection: SocketConnection): void {
    const waiting = this.#waiting.shift()
    if (waiting === undefined) this.#idle.push(connection)
    else waiting.resolve(connection)
  }

  #forget(connection: SocketConnection): void {
    this.#all.delete(connection)
    const index = this.#idle.indexOf(connection)
    if (index !== -1) this.#idle.splice(index, 1)
  }
}
