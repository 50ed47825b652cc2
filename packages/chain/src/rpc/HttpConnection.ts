import { Redacted } from "effect"
import { Pool } from "undici"

const CONNECT_TIMEOUT_MILLIS = 1_000
/** Some 250,000 token accounts; pages of whole transactions are a fifth of it. A node that sends more would fill the memory. */
const BODY_BYTES_MAX = 64 * 1024 * 1024

/** A body as text with what else of the answer matters. */
export interface HttpReply {
  readonly status: number
  readonly retryAfter: string | undefined
  readonly text: string
}

/**
 * How the last connection ended: `closed` in good order or by ourselves, as after a cancelled request, an answer with
 * `Connection: close`, or a while without requests; `broken` when the other side went away.
 */
export type Loss = "closed" | "broken"

/** Codes of undici for connections that it ended itself. */
const OWN_DOING = new Set([
  "UND_ERR_INFO",
  "UND_ERR_ABORTED",
  "UND_ERR_ABORT",
  "ABORT_ERR",
  "UND_ERR_CLOSED",
  "UND_ERR_DESTROYED",
  "UND_ERR_RES_EXCEEDED_MAX_SIZE",
])

const lossOf = (error: Error & { readonly code?: unknown }): Loss =>
  error.name === "AbortError" || OWN_DOING.has(String(error.code)) ? "closed" : "broken"

/** Kept-alive connections to one endpoint. */
export class HttpConnection {
  readonly #pool: Pool
  readonly #path: string
  readonly #headers: Record<string, string>

  /** `onLost` runs when the last connection is gone: the next one may reach another machine. */
  constructor(url: Redacted.Redacted, onLost: (loss: Loss) => void) {
    const { hash: _, origin, password, pathname, search, username } = new URL(Redacted.value(url))
    this.#path = `${pathname}${search}`
    this.#headers = { accept: "application/json", "content-type": "application/json; charset=utf-8" }
    if (username !== "" || password !== "") {
      const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
      this.#headers.authorization = `Basic ${Buffer.from(credentials).toString("base64")}`
    }
    this.#pool = new Pool(origin, {
      allowH2: false,
      connect: { timeout: CONNECT_TIMEOUT_MILLIS },
      maxResponseSize: BODY_BYTES_MAX,
    })
    this.#pool.on("disconnect", (_origin, _targets, error) => {
      if (this.#pool.stats.connected === 0) onLost(lossOf(error))
    })
  }

  /** Sends a JSON body. Rejects with the error of Node.js or undici when there is no whole answer. */
  async post(body: string, signal: AbortSignal): Promise<HttpReply> {
    const reply = await this.#pool.request({ method: "POST", path: this.#path, headers: this.#headers, body, signal })
    const retryAfter = reply.headers["retry-after"]
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
