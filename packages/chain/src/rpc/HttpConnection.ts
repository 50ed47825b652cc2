import type { Redacted } from "effect"
import { Pool } from "undici"
import { BODY_BYTES_MAX, CONNECT_TIMEOUT_MILLIS, type HttpReply, HttpTarget } from "./HttpTarget.ts"

/** Kept-alive connections to one address. */
export class HttpConnection {
  readonly #pool: Pool
  readonly #target: HttpTarget

  constructor(url: Redacted.Redacted) {
    this.#target = new HttpTarget(url)
    this.#pool = new Pool(this.#target.origin, {
      allowH2: false,
      connect: { timeout: CONNECT_TIMEOUT_MILLIS },
      maxResponseSize: BODY_BYTES_MAX,
    })
  }

  /** Sends a JSON body. Rejects with the error of Node.js or undici when there is no whole answer. */
  post(body: string, signal: AbortSignal): Promise<HttpReply> {
    return this.#target.post(this.#pool, body, signal)
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}
