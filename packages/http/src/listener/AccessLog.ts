import { Context, Effect, LogLevel, References } from "effect"
import { AddressCapsOfServer } from "./AddressCaps.ts"
import type { EndedRequest } from "./ObserveRequests.ts"

/** Probes come every few seconds and say nothing of clients. */
export const NOT_OBSERVED: ReadonlySet<string> = new Set(["/livez", "/readyz", "/metrics"])

/** Maximum length of a logged path. */
const PATH_MAX = 200

/** Whether requests are logged at info; otherwise at debug. */
export const AccessLogOfServer = Context.Reference<boolean>("@launch-registry/http/listener/AccessLog", {
  defaultValue: () => false,
})

const round = (millis: number): number => Math.round(millis * 100) / 100

/**
 * Writes one line for each request, without query, headers and body: a query may hold a secret. `undefined` if the log
 * level leaves these lines out, so that nothing is done for them.
 */
export const accessLog = Effect.gen(function* () {
  const level = (yield* AccessLogOfServer) ? "Info" : "Debug"
  if (!LogLevel.isGreaterThanOrEqualTo(level, yield* References.MinimumLogLevel)) return undefined
  const { callerOf } = yield* AddressCapsOfServer
  const run = Effect.runForkWith(yield* Effect.context<never>())
  const write = level === "Info" ? Effect.logInfo("Request completed") : Effect.logDebug("Request completed")
  return ({ bytes, note, request, seconds, status }: EndedRequest): void => {
    const path = request.url!.split("?", 1)[0]!
    if (NOT_OBSERVED.has(path)) return
    const forwardedFor = request.headers["x-forwarded-for"]
    const line = {
      method: request.method!,
      route: note.route,
      path: path.length > PATH_MAX ? `${path.slice(0, PATH_MAX)}…` : path,
      status,
      millis: round(seconds * 1_000),
      bytes,
      requestId: note.requestId ?? "",
      ...(note.span && { trace_id: note.span.traceId, span_id: note.span.spanId }),
      caller: callerOf(
        request.socket.remoteAddress ?? "",
        Array.isArray(forwardedFor) ? forwardedFor.join() : forwardedFor,
      ),
    }
    run(Effect.annotateLogs(write, line))
  }
})
