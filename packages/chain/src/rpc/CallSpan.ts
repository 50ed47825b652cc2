import { AsyncLocalStorage } from "node:async_hooks"
import { recordedSpan, SendsTraceContext, traceHeaders } from "@launch-registry/domain/http/TraceContext"
import { Clock, Context, Exit, Option, Tracer } from "effect"
import { RpcError, type RpcFault } from "./RpcError.ts"

/** A call of a recorded trace, which @solana/kit has no place for. */
interface TracedCall {
  readonly parent: Tracer.Span
  readonly context: Context.Context<never>
}

/** A request that was sent to one endpoint. */
export interface AttemptSpan {
  readonly headers: Readonly<Record<string, string>>
  readonly end: (fault: RpcFault | undefined, isGivenUp: boolean) => void
}

/** Begins the span of a request to an endpoint. */
export type BeginAttempt = (method: string, endpoint: string) => AttemptSpan

const calls = new AsyncLocalStorage<TracedCall>()

/** Calls `send` as a part of the trace of a fiber, if that is recorded. */
export const inTraceOf = <A>(context: Context.Context<never>, send: () => A): A => {
  const parent = recordedSpan(context)
  return parent === undefined ? send() : calls.run({ parent, context }, send)
}

const begin = ({ context, parent }: TracedCall): BeginAttempt => {
  const clock = Context.get(context, Clock.Clock)
  return (method, endpoint) => {
    const span = Context.get(context, Tracer.Tracer).span({
      ...{ name: method, parent: Option.some(parent), annotations: Context.empty(), links: [] },
      ...{ startTime: clock.currentTimeNanosUnsafe(), kind: "client", root: false, sampled: true },
    })
    span.attribute("rpc.system", "jsonrpc")
    span.attribute("rpc.method", method)
    span.attribute("launch_registry.rpc.endpoint", endpoint)
    return {
      headers: Context.get(context, SendsTraceContext) ? traceHeaders(span) : {},
      end: (fault, isGivenUp) => {
        const reason = isGivenUp ? undefined : fault
        if (fault !== undefined && isGivenUp) span.attribute("launch_registry.rpc.given_up", true)
        if (reason !== undefined) span.attribute("error.type", reason._tag)
        const exit = reason === undefined ? Exit.void : Exit.fail(new RpcError({ method, reason }))
        span.end(clock.currentTimeNanosUnsafe(), exit)
      },
    }
  }
}

/** How the requests of the current call become spans; undefined if it is not traced. */
export const attemptsOfCall = (): BeginAttempt | undefined => {
  const call = calls.getStore()
  return call === undefined ? undefined : begin(call)
}
