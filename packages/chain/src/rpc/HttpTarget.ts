import { Redacted } from "effect"
import type { Dispatcher } from "undici"

export const CONNECT_TIMEOUT_MILLIS = 1_000
/** Enough for some 250,000 token accounts; a page of whole transactions takes a fifth of it. Bounds memory. */
export const BODY_BYTES_MAX = 64 * 1024 * 1024

/** An answer: the body as text, with the status and headers that matter. */
export interface HttpReply {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

/** Headers of one request, in addition to those of its target. */
export type RequestHeaders = Readonly<Record<string, string>>

/** Where JSON is posted to. */
export class HttpTarget {
  readonly origin: string
  readonly #path: string
  readonly #headers: Record<string, string>

  constructor(url: Redacted.Redacted) {
    const { hash: _, origin, password, pathname, search, username } = new URL(Redacted.value(url))
    this.origin = origin
    this.#path = `${pathname}${search}`
    this.#headers = { accept: "application/json", "content-type": "application/json; charset=utf-8" }
    if (username !== "" || password !== "") {
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
      this.#headers.authorization = `Basic ${Buffer.from(credentials).toString("base64")}`
    }
  }

  /** Rejects with the error of Node.js or undici when there is no whole answer. */
  async post(dispatcher: Dispatcher, body: string, signal: AbortSignal, more?: RequestHeaders): Promise<HttpReply> {
    const { origin } = this
    const headers = more === undefined ? this.#headers : { ...more, ...this.#headers }
    const request = { origin, method: "POST" as const, path: this.#path, headers, body, signal }
    const reply = await dispatcher.request(request)
    const retryAfter = reply.headers["retry-after"]
    return {
      status: reply.statusCode,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      text: await reply.body.text(),
    }
  }
}
