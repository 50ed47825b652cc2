import { answers } from "./Answers.ts"
import type { CallOptions, ClientRefusal } from "./Call.ts"
import { backoff, retryAfter, sleep } from "./Waiting.ts"

/** A longer Retry-After is left to the caller. */
const WAIT_MAX_MILLIS = 20_000

/** What `headers` may look at, such as to sign it. */
export interface OutgoingRequest {
  readonly method: string
  /** With its query, below `baseUrl`. */
  readonly path: string
  /** The bytes of the body; of an image upload those of the image. */
  readonly body: Uint8Array<ArrayBuffer>
}

export type Headers = Readonly<Record<string, string>>

export interface ConnectOptions {
  /** Of the service, such as `https://registry.example.com`; may have a path. */
  readonly baseUrl: string
  /** Sent with each request, such as `{ authorization: "Bearer ..." }` of a backend; or what makes them, such as `walletHeaders`. */
  readonly headers?: Headers | ((request: OutgoingRequest) => Headers | Promise<Headers>) | undefined
  /** Attempts after the first; 3 by default. */
  readonly retries?: number | undefined
  /** For one attempt, with its answer; 30,000 by default. */
  readonly timeoutMillis?: number | undefined
  /** How many answers to remember by their ETag; none by default. For Node.js and workers: browsers do so by themselves. */
  readonly etags?: number | undefined
  /** Instead of the global one. */
  readonly fetch?: typeof fetch | undefined
}

export interface Outgoing {
  readonly method: string
  readonly path: string
  readonly body?: string | FormData | undefined
  /** Whether a POST takes an Idempotency-Key. */
  readonly isKeyed?: boolean
}

export interface Transport {
  readonly send: (outgoing: Outgoing, options?: CallOptions) => Promise<unknown>
  /** One attempt at a response whose body is yet to be read. */
  readonly open: (path: string, headers: Headers, signal: AbortSignal) => Promise<Response>
}

const bytesOf = async (body: Outgoing["body"]): Promise<Uint8Array<ArrayBuffer>> => {
  if (typeof body !== "object") return new TextEncoder().encode(body)
  const file = [...body.values()].find((value) => typeof value === "object")
  return new Uint8Array((await file?.arrayBuffer()) ?? [])
}

const isEnvelope = (value: unknown): boolean =>
  typeof value === "object" && value !== null && typeof (value as { readonly success?: unknown }).success === "boolean"

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const unreachable = (cause: unknown): ClientRefusal => ({
  ...{ success: false, code: "unreachable", status: 0, cause },
  message: cause instanceof Error ? cause.message : "The registry did not answer",
})

export const transport = ({
  baseUrl,
  etags = 0,
  retries = 3,
  timeoutMillis = 30_000,
  ...options
}: ConnectOptions): Transport => {
  const base = baseUrl.replace(/\/+$/, "")
  const request = options.fetch ?? ((url, init) => fetch(url, init))
  const remembered = answers(etags)
  /** Of the last write: reads after it see at least that, also from a replica of the registry's database. */
  let position = ""

  const credentials = async ({ body, method, path }: Outgoing): Promise<Headers> =>
    typeof options.headers === "function"
      ? options.headers({ method, path, body: await bytesOf(body) })
      : (options.headers ?? {})

  const send: Transport["send"] = async (outgoing, { headers, idempotencyKey, signal } = {}) => {
    const { body, isKeyed = false, method, path } = outgoing
    const url = base + path
    const isRead = method === "GET"
    const isRepeatable = isKeyed || !(method === "POST" || method === "PATCH")
    const fixed: Record<string, string> = { ...headers }
    if (typeof body === "string") fixed["content-type"] = "application/json"
    if (isKeyed) fixed["idempotency-key"] = idempotencyKey ?? crypto.randomUUID()
    let credential: Headers | undefined

    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      // A signature is accepted once, but for a retry that its Idempotency-Key makes safe.
      if (credential === undefined || !isKeyed) credential = await credentials(outgoing)
      const known = isRead ? remembered.find(url) : undefined
      const timeout = AbortSignal.timeout(timeoutMillis)
      let answer: unknown
      let wait: number | undefined
      let isPassing = false
      try {
        const response = await request(url, {
          method,
          headers: {
            ...credential,
            ...fixed,
            ...(isRead && position !== "" && { "read-position": position }),
            ...(known !== undefined && { "if-none-match": known.etag }),
          },
          signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
          ...(body !== undefined && { body }),
        })
        const text = await response.text()
        const { status } = response
        const written = response.headers.get("read-position")
        if (written !== null && written > position) position = written
        if (status === 304 && known !== undefined) return known.answer
        const value = parsed(text)
        wait = retryAfter(response)
        if (isEnvelope(value)) {
          answer = response.ok ? value : { ...(value as object), status }
          if (isRead && response.ok) remembered.store(url, response.headers.get("etag"), value)
          const { code } = value as { readonly code?: unknown }
          isPassing =
            status === 429
              ? wait !== undefined
              : isRepeatable && ((status === 503 && wait !== undefined) || code === "request_in_flight")
        } else {
          answer = { success: false, code: "unexpected_answer", message: `HTTP ${status} without an envelope`, status }
          isPassing = isRepeatable && status >= 502 && status <= 504
        }
      } catch (cause) {
        signal?.throwIfAborted()
        answer = unreachable(cause)
        isPassing = isRepeatable
      }
      if (!isPassing || attempt >= retries || (wait ?? 0) > WAIT_MAX_MILLIS) return answer
      await sleep((wait ?? 0) + backoff(attempt), signal)
    }
  }

  return {
    send,
    open: async (path, headers, signal) =>
      request(base + path, { headers: { ...(await credentials({ method: "GET", path })), ...headers }, signal }),
  }
}
