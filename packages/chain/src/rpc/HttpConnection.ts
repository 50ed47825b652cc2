import { Redacted } from "effect"
import { Pool } from "undici"

const CONNECT_TIMEOUT_MILLIS = 1_000

/** A body as text with what else of the answer matters. */
export interface HttpReply {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

/** Kept-alive connections to one endpoint. */
export class HttpConnection {
  readonly #pool: Pool
  readonly #path: string
  readonly #headers: Record<string, string>
  /** A server that closes every connection after its answer tells nothing by closing them. */
  #keepsAlive = true

  /** `onLost` runs when the last connection is gone: the next one may reach another machine. */
  constructor(url: Redacted.Redacted, onLost: () => void) {
    const { hash: _, origin, password, pathname, search, username } = new URL(Redacted.value(url))
    this.#path = `${pathname}${search}`
    this.#headers = { accept: "application/json", "content-type": "application/json; charset=utf-8" }
    if (username !== "" || password !== "") {
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
      this.#headers.authorization = `Basic ${Buffer.from(credentials).toString("base64")}`
    }
    this.#pool = new Pool(origin, { connect: { timeout: CONNECT_TIMEOUT_MILLIS } })
    this.#pool.on("disconnect", () => {
      if (this.#keepsAlive && this.#pool.stats.connected === 0) onLost()
    })
  }

  /** Sends a JSON body. Rejects with the error of Node.js or undici when there is no whole answer. */
  async post(body: string, signal: AbortSignal): Promise<HttpReply> {
    const reply = await this.#pool.request({ method: "POST", path: this.#path, headers: this.#headers, body, signal })
    const { connection, "retry-after": retryAfter } = reply.headers
    this.#keepsAlive = !/close/i.test(String(connection))
    return {
      status: reply.statusCode,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      text: await reply.body.text(),
    }
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}
