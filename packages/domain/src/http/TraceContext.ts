import { Context, Option, Tracer } from "effect"

/** Whether calls to other services say to which trace they belong (W3C Trace Context). */
export const SendsTraceContext = Context.Reference<boolean>("@launch-registry/domain/http/SendsTraceContext", {
  defaultValue: () => false,
})

/** `tracestate` of the caller that began a trace, as it was sent: an annotation of its span. */
export class TraceState extends Context.Service<TraceState, string>()("@launch-registry/domain/http/TraceState") {}

const stateOf = (span: Tracer.AnySpan): string | undefined => {
  let each = span
  while (each._tag === "Span") {
    if (Option.isNone(each.parent)) return undefined
    each = each.parent.value
  }
  return Context.getOrUndefined(each.annotations, TraceState)
}

/** The headers that make `span` the parent of what another service does. */
export const traceHeaders = (span: Tracer.AnySpan): Readonly<Record<string, string>> => {
  const tracestate = stateOf(span)
  return {
    traceparent: `00-${span.traceId}-${span.spanId}-${span.sampled ? "01" : "00"}`,
    ...(tracestate !== undefined && { tracestate }),
  }
}

/** The span of a fiber, if it is recorded. */
export const recordedSpan = (context: Context.Context<never>): Tracer.Span | undefined => {
  const span = Context.getOrUndefined(context, Tracer.ParentSpan)
  const isRecorded =
    span?._tag === "Span" && span.sampled && Context.get(context, Tracer.Tracer) !== Tracer.nativeTracer
  return isRecorded ? span : undefined
}
