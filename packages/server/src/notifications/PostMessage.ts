import { type IncomingMessage, request as requestHttp } from "node:http"
import { request as requestHttps } from "node:https"
import { retryAfterMillis } from "@launch-registry/domain/http/RetryAfter"
import type { AttemptError } from "@launch-registry/domain/notifications/NotificationMessage"
import { Clock, Effect } from "effect"
import { checkedLookup, type HostAddresses } from "../outgoing/HostAddresses.ts"
import { faultOfUrl } from "../outgoing/OutgoingUrl.ts"
import { requestFault } from "../outgoing/RequestFault.ts"

const TIMEOUT_MILLIS = 15_000
/** So many bytes of an answer's body are read, so that its sender is not cut off; the rest is not. */
const BODY_BYTES_MAX = 16_384

/** How an attempt ended. */
export interface AttemptOutcome {
  /** Null without an answer. */
  readonly status: number | null
  readonly error: AttemptError | null
  readonly retryAfterMillis: number | undefined
  readonly durationMillis: number
}

/** How attempts end: accepted (2xx), refused (any other status), or the error without an answer. */
export const ATTEMPT_OUTCOMES = [
  ...["accepted", "refused", "timeout", "dns", "refused_address", "connection", "tls"],
] as const
export type AttemptKind = "accepted" | "refused" | NonNullable<AttemptOutcome["error"]>

export const isAccepted = ({ status }: AttemptOutcome): boolean => status !== null && status >= 200 && status < 300

/** Attempts of this process. */
export class AttemptFigures {
  readonly #counts = new Map<string, number>()

  count(outcome: AttemptOutcome): void {
    const kind: AttemptKind = outcome.error ?? (isAccepted(outcome) ? "accepted" : "refused")
    this.#counts.set(kind, this.of(kind) + 1)
  }

  of(kind: string): number {
    return this.#counts.get(kind) ?? 0
  }
}

/** What is posted where. */
export interface Post {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

type Answer = Pick<AttemptOutcome, "status" | "error"> & { readonly retryAfter?: string | undefined }

/** Reads the rest of an answer, up to a limit, and ends its connection. */
const drained = async (response: IncomingMessage): Promise<void> => {
  let bytes = 0
  try {
    for await (const chunk of response) if ((bytes += (chunk as Buffer).length) > BODY_BYTES_MAX) break
  } catch {
    // The status was received, and the body says nothing more.
  }
  response.destroy()
}

/** Posts once, with a connection of its own and without following redirects. Never rejects. */
const post = (
  { body, headers, url: text }: Post,
  addresses: HostAddresses,
  timeoutMillis: number,
  abort: AbortSignal,
) =>
  new Promise<Answer>((resolve) => {
    const timeout = AbortSignal.timeout(timeoutMillis)
    const url = new URL(text)
    const failed = (error: unknown) => resolve({ status: null, error: requestFault(error, timeout.aborted) })
    const options = { method: "POST", agent: false, lookup: checkedLookup(addresses), headers }
    const signal = AbortSignal.any([abort, timeout])
    const request = (url.protocol === "http:" ? requestHttp : requestHttps)(url, { ...options, signal })
    let isAnswered = false
    request.on("error", failed)
    request.on("close", () => {
      if (!isAnswered) failed(new Error("The connection was closed"))
    })
    request.on("response", (response) => {
      isAnswered = true
      const answer = { status: response.statusCode ?? 0, error: null, retryAfter: response.headers["retry-after"] }
      // A body that does not end takes its time from the deadline, which ends it.
      void drained(response).then(() => resolve(answer))
    })
    request.end(body)
  })

/** Sends requests to URLs of callers: to public addresses only, unless others are allowed. */
export const postMessage =
  (options: { readonly allowsPrivate: boolean; readonly timeoutMillis?: number }, addresses: HostAddresses) =>
  (sent: Post): Effect.Effect<AttemptOutcome> =>
    Effect.gen(function* () {
      const startedAt = performance.now()
      const answer: Answer =
        // Settings and rules may have changed since it was created.
        faultOfUrl(URL.parse(sent.url), options.allowsPrivate) === undefined
          ? yield* Effect.promise((signal) => post(sent, addresses, options.timeoutMillis ?? TIMEOUT_MILLIS, signal))
          : { status: null, error: "refused_address" }
      return {
        status: answer.status,
        error: answer.error,
        retryAfterMillis: retryAfterMillis(answer.retryAfter, yield* Clock.currentTimeMillis),
        durationMillis: Math.round(performance.now() - startedAt),
      }
    })
