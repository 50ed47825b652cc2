import type { Redacted } from "effect"
import { buildConnector } from "undici"
import { CONNECT_TIMEOUT_MILLIS, type HttpReply, HttpTarget } from "./HttpTarget.ts"
import { ConnectionOver, SocketConnection } from "./SocketConnection.ts"

const VERIFICATION_MILLIS = 1_000
/** A proxy can lead a connection elsewhere without closing it. */
const VERIFIED_FOR_MILLIS = 60_000
/** More calls than this wait until a connection is free or made. */
const OPENING_MAX = 64
/** How long a server is believed to close every connection after one answer. */
const ONE_ANSWER_MILLIS = 60_000

export interface VerifiedConnectionsOptions {
  readonly url: Redacted.Redacted
  /** Monotonic milliseconds. */
  readonly now: () => number
  /** Asks for the genesis hash by what it is given. Rejects when nothing else may be asked over this connection. */
  readonly verify: (post: (body: string) => Promise<HttpReply>) => Promise<void>
}

/** The other side closes every connection after one answer: nothing can be asked over a verified one. */
export class OneAnswerEach extends Error {
  override readonly name = "OneAnswerEach"
}

interface Waiting {
  readonly resolve: (connection: SocketConnection) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Kept-alive connections to one endpoint. On each of them the genesis hash is asked for before anything else, and again
 * when that was a minute ago: the next connection to the same address can lead to another machine.
 */
export class VerifiedConnections {
  readonly #options: VerifiedConnectionsOptions
  readonly #target: HttpTarget
  readonly #connector = buildConnector({ allowH2: false, timeout: CONNECT_TIMEOUT_MILLIS })
  readonly #all = new Set<SocketConnection>()
  /** The last one used is used first, so that those of a burst run out. */
  readonly #idle: Array<SocketConnection> = []
  /** They take the first connection that is free or made. */
  readonly #waiting: Array<Waiting> = []
  #opening = 0
  #oneAnswerUntil = Number.NEGATIVE_INFINITY

  constructor(options: VerifiedConnectionsOptions) {
    this.#options = options
    this.#target = new HttpTarget(options.url)
  }

  /** Sends a JSON body. Rejects with what `verify` rejects with, `OneAnswerEach`, or the error of Node.js or undici. */
  async post(body: string, signal: AbortSignal): Promise<HttpReply> {
    let endedAt = Number.POSITIVE_INFINITY
    for (;;) {
      const idle = this.#idle.pop()
      if (idle === undefined && this.#options.now() < this.#oneAnswerUntil) throw new OneAnswerEach()
      const connection = idle ?? (await this.#next(signal))
      try {
        if (this.#options.now() - connection.verifiedAt > VERIFIED_FOR_MILLIS) await this.#verify(connection)
        const reply = await connection.post(body, signal)
        this.#free(connection)
        return reply
      } catch (error) {
        if (!(error instanceof ConnectionOver)) throw error
        // The other side closed it while it was idle, or after its last answer.
        if (idle !== undefined || connection.answers > 1) continue
        // A server that shuts down does so as well, but not on a connection made after that.
        if (connection.openedAt >= endedAt) this.#oneAnswerUntil = this.#options.now() + ONE_ANSWER_MILLIS
        endedAt = Math.min(endedAt, this.#options.now())
      }
    }
  }

  /** Sends a body that asks for the genesis hash as well, over a connection of its own. */
  async postAlone(body: string, signal: AbortSignal): Promise<HttpReply> {
    const connection = this.#connection()
    try {
      return await connection.post(body, signal)
    } finally {
      void connection.end(new ConnectionOver())
    }
  }

  /** Connections are to be tried for more than one answer again. */
  expectMore(): void {
    this.#oneAnswerUntil = Number.NEGATIVE_INFINITY
  }

  /** Ends all connections; what is under way on them fails with this reason. */
  async end(reason: Error): Promise<void> {
    for (const waiting of this.#waiting.splice(0)) waiting.reject(reason)
    await Promise.all([...this.#all].map((connection) => connection.end(reason)))
  }

  #next(signal: AbortSignal): Promise<SocketConnection> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted()
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        reject(signal.reason)
      }
      const waiting: Waiting = {
        resolve: (connection) => {
          signal.removeEventListener("abort", leave)
          resolve(connection)
        },
        reject: (reason) => {
          signal.removeEventListener("abort", leave)
          reject(reason)
        },
      }
      signal.addEventListener("abort", leave, { once: true })
      this.#waiting.push(waiting)
      this.#openAnother()
    })
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
    const connection = new SocketConnection(
      { target: this.#target, connect: this.#connector, openedAt: this.#options.now() },
      (over) => this.#forget(over),
    )
    this.#all.add(connection)
    return connection
  }

  async #verify(connection: SocketConnection): Promise<void> {
    try {
      await this.#options.verify((body) => connection.post(body, AbortSignal.timeout(VERIFICATION_MILLIS)))
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
