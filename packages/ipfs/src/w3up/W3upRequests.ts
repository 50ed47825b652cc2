import { readBody } from "@launch-registry/domain/http/ReadBody"
import { retryAfterMillis } from "@launch-registry/domain/http/RetryAfter"
import { Cause, Clock, Effect, Exit, Schedule } from "effect"
import type { W3upChannel } from "./W3upSdk.ts"

/** The target of a request: the service, its receipts, or the storage it names. */
export type W3upParty = "service" | "receipts" | "storage"

const RECEIPT_POLL_MILLIS = 500
/** Answers and receipts are some kilobytes. */
const BYTES_MAX = 4 << 20

/** What is known of a failed HTTP request. */
export interface W3upRequestFault {
  readonly party: W3upParty
  /** Status of the answer, if there was one. */
  readonly status?: number
  /** Error code of Node.js or undici, if there was none. */
  readonly code?: string
  readonly retryAfterMillis?: number
}

/**
 * An HTTP request failed. A `TypeError`, because the client retries all others and writes them to the console.
 */
export class W3upRequestFailed extends TypeError {
  readonly fault: W3upRequestFault

  constructor(fault: W3upRequestFault) {
    super("A request to w3up failed")
    this.name = "W3upRequestFailed"
    this.fault = fault
  }
}

interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** One request and its whole answer. */
const exchange = (party: W3upParty, url: URL, init: RequestInit): Effect.Effect<Answer, W3upRequestFailed> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, { ...init, signal })
      const bytes = await readBody(response, BYTES_MAX)
      if (bytes === undefined) throw new W3upRequestFailed({ party, status: response.status, code: "too_large" })
      return { status: response.status, headers: response.headers, bytes }
    },
    catch: (error) =>
      error instanceof W3upRequestFailed ? error : new W3upRequestFailed({ party, code: codeOf(error) }),
  })

const succeeded = (party: W3upParty, answer: Answer): Effect.Effect<Answer, W3upRequestFailed> =>
  Effect.flatMap(Clock.currentTimeMillis, (now) => {
    if (answer.status >= 200 && answer.status < 300) return Effect.succeed(answer)
    const pause = retryAfterMillis(answer.headers.get("retry-after"), now)
    return Effect.fail(
      new W3upRequestFailed({
        party,
        status: answer.status,
        ...(pause && { retryAfterMillis: pause }),
      }),
    )
  })

/** A message to the service, which must not redirect. */
const send = (url: URL, init: RequestInit) =>
  Effect.flatMap(exchange("service", url, { ...init, redirect: "manual" }), (answer) => succeeded("service", answer))

/** Bytes to the URL that the service returned. */
const store = (url: URL, init: RequestInit) =>
  Effect.flatMap(exchange("storage", url, { ...init, redirect: "manual" }), (answer) => succeeded("storage", answer))

/** Polls for a receipt: 404 means not yet. The service redirects to where it stores them. */
const receipt = (url: URL) =>
  exchange("receipts", url, {}).pipe(
    Effect.repeat({ while: ({ status }) => status === 404, schedule: Schedule.spaced(RECEIPT_POLL_MILLIS) }),
    Effect.flatMap((answer) => succeeded("receipts", answer)),
  )

/** The requests of one exchange with the service. */
export interface W3upRequests {
  readonly channel: W3upChannel
  /** For bytes and receipts. */
  readonly fetch: typeof globalThis.fetch
}

/** `signal` aborts the requests. */
export const w3upRequests = (
  serviceUrl: URL,
  signal: AbortSignal,
  run: ReturnType<typeof Effect.runPromiseExitWith<never>>,
): W3upRequests => {
  /** Turns every failure, interruption included, into the type error that the client passes on. */
  const answerOf = async (request: Effect.Effect<Answer, W3upRequestFailed>): Promise<Answer> => {
    const exit = await run(request, { signal })
    if (Exit.isSuccess(exit)) return exit.value
    const error = Cause.squash(exit.cause)
    throw error instanceof W3upRequestFailed ? error : new W3upRequestFailed({ party: "service", code: "interrupted" })
  }

  return {
    channel: {
      url: serviceUrl,
      request: async ({ body, headers }) => {
        const answer = await answerOf(send(serviceUrl, { method: "POST", headers, body: Uint8Array.from(body) }))
        return { headers: Object.fromEntries(answer.headers), body: answer.bytes }
      },
    },
    fetch: async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input)
      // Never downgrade from https to http.
      if (url.protocol !== "https:" && url.protocol !== serviceUrl.protocol)
        throw new W3upRequestFailed({ party: "storage", code: "ERR_INSECURE_ADDRESS" })
      const { body, headers, method } = init ?? {}
      const request =
        method === "PUT" ? store(url, { method, headers: headers ?? {}, body: body ?? null }) : receipt(url)
      return new Response((await answerOf(request)).bytes)
    },
  }
}

/** The innermost error code: `fetch` wraps errors of undici and Node.js. */
const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  if (error instanceof Error && error.cause !== undefined) return codeOf(error.cause)
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code
  return "no answer"
}
