import { metricSeries } from "@launch-registry/postgres/MetricSeries"
import { Duration, Effect, Redacted, Result } from "effect"
import { type HttpBody, HttpClient, type HttpClientRequest, HttpClientResponse } from "effect/http"
import type { TelemetryOptions } from "../TelemetrySettings.ts"

/** Exports in flight, of 512 spans each; what comes while all are is dropped. */
const IN_FLIGHT_MAX = 4
/** Waits between attempts. */
const RETRY_MILLIS = [1_000, 4_000] as const
/** The rest of an answer is not read. */
const ANSWER_BYTES_MAX = 65_536

/** Statuses after which the same export is tried again (OTLP/HTTP). */
const RETRIED: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Why an export did not arrive; never a URL, header or body. */
interface ExportFault {
  readonly reason: string
  readonly isTransient: boolean
}

const codeOf = (error: unknown): string => {
  const { cause, name } = error as { readonly cause?: { readonly code?: unknown }; readonly name?: unknown }
  const code = cause?.code ?? name
  return typeof code === "string" && /^\w{1,40}$/.test(code) ? code : "no connection"
}

/** Reads the beginning of an answer, so that its connection can be used again. */
const drain = async ({ body }: Response): Promise<void> => {
  let bytes = 0
  for await (const piece of body ?? []) if ((bytes += piece.byteLength) > ANSWER_BYTES_MAX) break
}

const NO_CONTENT = () => new Response(null, { status: 204 })

/** An export as it is sent. */
interface Content {
  readonly type: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

const contentOf = (body: HttpBody.HttpBody): Content =>
  body._tag === "Uint8Array"
    ? { type: body.contentType, bytes: body.body as Uint8Array<ArrayBuffer> }
    : { type: "", bytes: new Uint8Array() }

/**
 * The way of one signal to the collector. It never fails and never waits long: what cannot be sent is dropped and counted,
 * and an outage is one line of the log.
 */
export const collector = Effect.fnUntraced(function* (
  signal: "Spans" | "Metrics",
  { headers, timeoutMillis }: Pick<TelemetryOptions, "headers"> & { readonly timeoutMillis: number },
) {
  let inFlight = 0
  let dropped = 0
  let isAway = false
  const sizes = new WeakMap<HttpBody.HttpBody, number>()
  const { counter } = yield* metricSeries
  counter(
    "otlp_dropped_total",
    "Spans, and exports of metrics, that the OpenTelemetry collector did not answer with 2xx, or that were too many for it",
    { signal: signal.toLowerCase() },
    () => dropped,
  )

  const post = (request: HttpClientRequest.HttpClientRequest) =>
    Effect.tryPromise({
      try: async (abort): Promise<ExportFault | undefined> => {
        const { bytes, type } = contentOf(request.body)
        const secret = Object.entries(headers).map(([name, value]) => [name, Redacted.value(value)] as const)
        const answer = await fetch(request.url, {
          method: "POST",
          headers: { ...Object.fromEntries(secret), "content-type": type },
          body: bytes,
          redirect: "manual",
          signal: abort,
        })
        await drain(answer)
        return answer.ok ? undefined : { reason: `HTTP ${answer.status}`, isTransient: RETRIED.has(answer.status) }
      },
      catch: (error): ExportFault => ({ reason: codeOf(error), isTransient: true }),
    }).pipe(
      Effect.timeoutOrElse({
        duration: Duration.millis(timeoutMillis),
        orElse: () => Effect.fail<ExportFault>({ reason: `no answer in ${timeoutMillis} ms`, isTransient: true }),
      }),
      Effect.flatMap((fault) => (fault === undefined ? Effect.void : Effect.fail(fault))),
    )

  const attempt = (request: HttpClientRequest.HttpClientRequest, tries: number): Effect.Effect<void, ExportFault> =>
    Effect.catch(post(request), (fault) => {
      const wait = RETRY_MILLIS[tries]
      return fault.isTransient && wait !== undefined
        ? Effect.andThen(Effect.sleep(wait), attempt(request, tries + 1))
        : Effect.fail(fault)
    })

  const drop = (count: number, reason: string) =>
    Effect.suspend(() => {
      dropped += count
      if (isAway) return Effect.void
      isAway = true
      return Effect.logWarning(`${signal} do not reach the OpenTelemetry collector and are dropped: ${reason}`)
    })

  const arrived = Effect.suspend(() => {
    if (!isAway) return Effect.void
    isAway = false
    return Effect.logInfo(`${signal} reach the OpenTelemetry collector again; ${dropped} were dropped since the start`)
  })

  const client = HttpClient.make((request) => {
    const size = sizes.get(request.body)
    const send =
      size === undefined
        ? Effect.void
        : Effect.matchEffect(attempt(request, 0), {
            onSuccess: () => arrived,
            onFailure: ({ reason }) => drop(size, reason),
          }).pipe(Effect.ensuring(Effect.sync(() => void inFlight--)))
    return Effect.as(send, HttpClientResponse.fromWeb(request, NO_CONTENT()))
  })

  /** The body of an export of `count` items; nothing of it is sent while too much is in flight. */
  const body = (count: number, encode: () => HttpBody.HttpBody, nothing: HttpBody.HttpBody): HttpBody.HttpBody => {
    if (inFlight >= IN_FLIGHT_MAX) {
      dropped += count
      return nothing
    }
    const encoded = Result.try(encode)
    if (Result.isFailure(encoded)) {
      dropped += count
      return nothing
    }
    inFlight++
    sizes.set(encoded.success, count)
    return encoded.success
  }

  return { body, client }
})
