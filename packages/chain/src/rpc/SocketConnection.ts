import { type buildConnector, Client } from "undici"
import type { HttpReply, HttpTarget, Posted } from "./HttpTarget.ts"

/**
 * Longer than the pauses between calls and probes, 30 s at most, because every new connection costs a request; shorter
 * than the idle timeout of proxies. A `Keep-Alive` timeout of the server takes precedence.
 */
const KEEP_ALIVE_MILLIS = 40_000
/**
 * How long before the server's timeout a connection is dropped. With undici's default of 2 s, a server with
 * `Keep-Alive: timeout=2` would get no reuse.
 */
const KEEP_ALIVE_MARGIN_MILLIS = 500

/** The connection closed before the request was written. */
export class ConnectionOver extends Error {
  override readonly name = "ConnectionOver"
}

/** One connection. It ends with its socket: undici's client alone would connect again, perhaps to another machine. */
export class SocketConnection {
  /** When the genesis hash was last seen on it, in monotonic milliseconds. */
  verifiedAt = Number.NEGATIVE_INFINITY
  readonly #target: HttpTarget
  readonly #client: Client
  readonly #onOver: (connection: SocketConnection) => void

  constructor(target: HttpTarget, connect: buildConnector.connector, onOver: (connection: SocketConnection) => void) {
    this.#target = target
    this.#onOver = onOver
    this.#client = new Client(target.origin, {
      allowH2: false,
      connect,
      keepAliveTimeout: KEEP_ALIVE_MILLIS,
      keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MILLIS,
    })
    this.#client.on("disconnect", () => void this.end(new ConnectionOver()))
  }

  get isOver(): boolean {
    return this.#client.destroyed
  }

  /** Any failed request ends the connection. */
  async post(posted: Posted, signal: AbortSignal): Promise<HttpReply> {
    if (this.isOver) throw new ConnectionOver()
    try {
      return await this.#target.post(this.#client, posted, signal)
    } catch (error) {
      void this.end(new ConnectionOver())
      throw error
    }
  }

  /** Requests in flight on it fail with this reason. */
  end(reason: Error): Promise<void> {
    this.#onOver(this)
    return this.#client.destroy(reason)
  }
}
