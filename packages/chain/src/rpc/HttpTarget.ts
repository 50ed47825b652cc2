import { Redacted } from "effect"
import type { Dispatcher } from "undici"

export const CONNECT_TIMEOUT_MILLIS = 1_000

/** A JSON body, and how long the answer to it may be. */
export interface Posted {
  readonly body: string
  readonly bytesMax: number
  readonly headers?: RequestHeaders
}

/** The answer is longer than was allowed: the rest of it is not read. */
export class AnswerTooLarge extends Error {
  override readonly name = "AnswerTooLarge"
  readonly limitBytes: number

  constructor(limitBytes: number) {
    super()
    this.limitBytes = limitBytes
  }
}

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

  /** Rejects with `AnswerTooLarge`, or with the error of Node.js or undici, when there is no whole answer. */
  async post(dispatcher: Dispatcher, { body, bytesMax, headers }: Posted, signal: AbortSignal): Promise<HttpReply> {
    const { origin } = this
    const sent = headers === undefined ? this.#headers : { ...headers, ...this.#headers }
    const request = { origin, method: "POST" as const, path: this.#path, headers: sent, body, signal }
    const reply = await dispatcher.request(request)
    const retryAfter = reply.headers["retry-after"]
    return {
      status: reply.statusCode,
      retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      text: await textWithin(reply.body, bytesMax, reply.statusCode),
    }
  }
}

/** A page of an error may be of any length, and its status says what it is. */
const textWithin = async (body: AsyncIterable<Uint8Array>, bytesMax: number, status: number): Promise<string> => {
  const pieces: Array<Uint8Array> = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > bytesMax) {
      if (status >= 200 && status <= 299) throw new AnswerTooLarge(bytesMax)
      return ""
    }
    pieces.push(piece)
  }
  return new TextDecoder().decode(Buffer.concat(pieces))
}
