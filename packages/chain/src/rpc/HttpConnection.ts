import type { Redacted } from "effect"
import { Pool } from "undici"
import { CONNECT_TIMEOUT_MILLIS, type HttpReply, HttpTarget } from "./HttpTarget.ts"

/** Kept-alive connections to one address. */
export class HttpConnection {
  readonly #pool: Pool
  readonly #target: HttpTarget
  readonly #bytesMax: number

  /** An answer of more than `bytesMax` is not read to its end. */
  constructor(url: Redacted.Redacted, bytesMax: number) {
    this.#bytesMax = bytesMax
    this.#target = new HttpTarget(url)
    this.#pool = new Pool(this.#target.origin, {
      allowH2: false,
      connect: { timeout: CONNECT_TIMEOUT_MILLIS },
    })
  }

  /** Sends a JSON body. Rejects with `AnswerTooLarge`, or with the error of Node.js or undici, when there is no whole answer. */
  post(body: string, signal: AbortSignal): Promise<HttpReply> {
    return this.#target.post(this.#pool, { body, bytesMax: this.#bytesMax }, signal)
  }

  close(): Promise<void> {
    return this.#pool.destroy()
  }
}
