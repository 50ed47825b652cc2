import { retryAfterMillis } from "@launch-registry/domain/http/RetryAfter"
import { Cause, Clock, Effect, Exit, Schedule } from "effect"
import type { W3upChannel } from "./W3upSdk.ts"

/** Whom a request went to: the service, where it keeps its receipts, or where it wants bytes to be put. */
export type W3upParty = "service" | "receipts" | "storage"

const RECEIPT_POLL_MILLIS = 500

/** What an HTTP request that failed has left. */
export interface W3upRequestFault {
  readonly party: W3upParty
  /** Status of the answer, when there was one. */
  readonly status?: number
  /** Code of Node.js or undici for what went wrong, when there was none. */
  readonly code?: string
  readonly retryAfterMillis?: number
}

/**
 * An HTTP request failed. It is a `TypeError` because of the client: errors of requests are retried there and written to
 * the console, past every logger, unless they are type errors other than those of `fetch`.
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

/** One request and the whole of its answer. */
const exchange = (party: W3upParty, url: URL, init: RequestInit): Effect.Effect<Answer, W3upRequestFailed> =>
  Effect.tryPromise({
    try: async (signal) => {
      const response = await fetch(url, { ...init, signal })
      return {
        status: response.status,
        headers: response.headers,
        bytes: new Uint8Array(await response.arrayBuffer()),
      }
    },
    catch: (error) => new W3upRequestFailed({ party, code: codeOf(error) }),
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

/** A message to the service. It answers where it is asked: a redirect is a fault. */
const send = (url: URL, init: RequestInit) =>
  Effect.flatMap(exchange("service", url, { ...init, redirect: "manual" }), (answer) => succeeded("service", answer))

/** Bytes to the address that the service named. */
const store = (url: URL, init: RequestInit) =>
  Effect.flatMap(exchange("storage", url, { ...init, redirect: "manual" }), (answer) => succeeded("storage", answer))

/** A receipt as soon as there is one: 404 means not yet. The service redirects to where it keeps them. */
const receipt = (url: URL) =>
  exchange("receipts", url, {}).pipe(
    Effect.repeat({ while: ({ status }) => status === 404, schedule: Schedule.spaced(RECEIPT_POLL_MILLIS) }),
    Effect.flatMap((answer) => succeeded("receipts", answer)),
  )

/** The requests of one exchange with the service. */
export interface W3upRequests {
  readonly channel: W3upChannel
  /** For everything that is no message to the service: bytes and receipts. */
  readonly fetch: typeof globalThis.fetch
}

/** Requests end when `signal` says so. */
export const w3upRequests = (
  serviceUrl: URL,
  signal: AbortSignal,
  run: ReturnType<typeof Effect.runPromiseExitWith<never>>,
): W3upRequests => {
  /** Every failure of a request is the type error that the client passes on, being interrupted too. */
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
      // Content goes the way the service is reached, never from an encrypted connection to an open one.
      if (url.protocol !== "https:" && url.protocol !== serviceUrl.protocol)
        throw new W3upRequestFailed({ party: "storage", code: "ERR_INSECURE_ADDRESS" })
      const { body, headers, method } = init ?? {}
      const request =
        method === "PUT" ? store(url, { method, headers: headers ?? {}, body: body ?? null }) : receipt(url)
      return new Response((await answerOf(request)).bytes)
    },
  }
}

/** The innermost code: `fetch` wraps what undici or Node.js found. */
const codeOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0])
  if (error instanceof Error && error.cause !== undefined) return codeOf(error.cause)
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code
  return "no answer"
}
