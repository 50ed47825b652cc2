import { TraceState } from "@launch-registry/domain/http/TraceContext"
import { Context, Fiber, Option, Tracer } from "effect"
import { HttpServerRequest, HttpTraceContext } from "effect/http"
import type { TelemetryOptions } from "../TelemetrySettings.ts"

/** A trace begins with a request or with a piece of background work; loops that look for work would be traces of their own. */
const BEGINNINGS: ReadonlySet<Tracer.SpanKind> = new Set(["server", "consumer"])

/** `tracestate` as W3C Trace Context allows it; anything else is dropped. */
const TRACE_STATE = /^[\x20-\x7e]{1,512}$/

/** The random part of an id, as the sampler of OpenTelemetry takes it. */
const RANDOM_DIGITS = 14
const RANDOM_RANGE = 2 ** 56

const isWithin = (share: number, traceId: () => string): boolean =>
  share === 1 || (share > 0 && Number.parseInt(traceId().slice(-RANDOM_DIGITS), 16) < share * RANDOM_RANGE)

/** The span of the caller of the current request, by its `traceparent`. Effect would also take headers of B3. */
const callerSpan = (): Option.Option<Tracer.ExternalSpan> => {
  const request = Context.getOrUndefined(Fiber.getCurrent()!.context, HttpServerRequest.HttpServerRequest)
  if (request === undefined) return Option.none()
  const { tracestate } = request.headers
  return Option.map(HttpTraceContext.w3c(request.headers), (span) =>
    tracestate !== undefined && TRACE_STATE.test(tracestate)
      ? Tracer.externalSpan({ ...span, annotations: Context.make(TraceState, tracestate) })
      : span,
  )
}

/** Passes to `tracer` the spans of traces that are recorded; all others are spans that nobody gets. */
export const sampledTracer = (
  tracer: Tracer.Tracer,
  { isCallerTrusted, recordedShare }: Pick<TelemetryOptions, "isCallerTrusted" | "recordedShare">,
): Tracer.Tracer =>
  Tracer.make({
    span: (options) => {
      const isBeginning =
        BEGINNINGS.has(options.kind) && !(Option.isSome(options.parent) && options.parent.value._tag === "Span")
      if (!isBeginning)
        return options.sampled && Option.isSome(options.parent)
          ? tracer.span(options)
          : new Tracer.NativeSpan({ ...options, sampled: false })
      const parent = isCallerTrusted && options.kind === "server" ? callerSpan() : Option.none<Tracer.ExternalSpan>()
      const span = tracer.span({ ...options, parent, sampled: true })
      const isRecorded = Option.isSome(parent) ? parent.value.sampled : isWithin(recordedShare, () => span.traceId)
      return isRecorded ? span : new Tracer.NativeSpan({ ...options, parent, sampled: false })
    },
  })
