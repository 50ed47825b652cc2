import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { randomUUID } from "node:crypto"
import {
  BodyTooLarge,
  InternalFault,
  InvalidRequest,
  MethodNotAllowed,
  RouteNotFound,
  UnsupportedContentEncoding,
} from "@launch-registry/domain/http/RequestErrors"
import type { RefusalNote } from "@launch-registry/domain/http/RefusalNote"
import { RequestId } from "@launch-registry/domain/http/RequestId"
import { RetryAdvice, type RetryNote } from "@launch-registry/domain/http/RetryAdvice"
import { recordedSpan } from "@launch-registry/domain/http/TraceContext"
import { isDatabaseAway } from "@launch-registry/postgres/DatabaseAway"
import { Cause, Context, Effect, References } from "effect"
import { HttpRouter, HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { UNMATCHED } from "../listener/RequestFigures.ts"
import { noteOf, type RequestNote } from "../listener/RequestNote.ts"
import type { DeclaredPaths } from "./DeclaredPaths.ts"
import { Stopping } from "../listener/Stopping.ts"
import { NOT_STORED } from "../answers/CacheControl.ts"
import { pagePolicy } from "../answers/PagePolicy.ts"
import { bodyTooLarge, isBodyTooLarge } from "./ReadBody.ts"
import { respondError } from "../answers/Respond.ts"

/** Default Retry-After of 503 and 429. */
const RETRY_AFTER_SECONDS = 2

/** Routes match declared paths literally, because rules of a reverse proxy are written for these. */
export const EXACT_ROUTES = {
  caseSensitive: true,
  ignoreTrailingSlash: false,
  ignoreDuplicateSlashes: false,
  /** The longest declared parameter. */
  maxParamLength: 256,
}

/** Maximum length of a repeated unknown path. */
const PATH_ECHO_MAX = 200

/**
 * The outermost middleware, also for requests without a route: assigns the request id, turns failures (no route, wrong
 * method, defect) into the envelope, sets common headers.
 */
export const requestEdge = (paths: DeclaredPaths) =>
  HttpRouter.middleware(
    Effect.map(
      Stopping,
      (notice) => (httpEffect) =>
        // Every request pays for what is here: it is one effect, and the context is set once.
        Effect.withFiber((fiber) => {
          const { context } = fiber
          const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
          const requestId = requestIdOf(request.headers["x-request-id"])
          const retry: RetryNote = {}
          const note = noteOf(request.source)
          note.requestId = requestId
          const span = recordedSpan(context)
          if (span !== undefined) {
            note.span = span
            span.attribute("launch_registry.request_id", requestId)
          }
          const finished = (response: HttpServerResponse.HttpServerResponse) => {
            if (REFUSALS.has(response.status)) noteRefused(request, response.status, retry, paths)
            return Effect.succeed(withEdgeHeaders(response, requestId, retry, notice.isStopping))
          }
          return exactly(request, paths, notingRoute(note, httpEffect)).pipe(
            Effect.matchCauseEffect({
              onSuccess: finished,
              onFailure: (cause) =>
                Cause.hasInterruptsOnly(cause)
                  ? Effect.failCause(cause)
                  : Effect.flatMap(answer(cause, request, paths), finished),
            }),
            Effect.updateContext((outer: Context.Context<never>) =>
              outer.pipe(
                Context.add(RequestId, requestId),
                Context.add(RetryAdvice, retry),
                // Makes logs searchable by the request id of the response.
                Context.add(References.CurrentLogAnnotations, {
                  ...Context.get(outer, References.CurrentLogAnnotations),
                  requestId,
                }),
              ),
            ),
          )
        }),
    ),
    { global: true },
  )

/** Notes the route that was found, which only the context of the handlers says. */
const notingRoute = <E, R>(note: RequestNote, httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
  Effect.withFiber<HttpServerResponse.HttpServerResponse, E, R>((fiber) =>
    Effect.onExit(httpEffect, () => {
      const found = Context.getOrUndefined(fiber.context, HttpRouter.RouteContext)
      if (found !== undefined) note.route = found.route.path
      return Effect.void
    }),
  )

/** Statuses of requests that a limit, or a missing credential or permission, refused. */
const REFUSALS: ReadonlySet<number> = new Set([401, 403, 429, 507])

/** Notes why. A request beyond its limit is refused before its route is looked for. */
const noteRefused = (
  request: HttpServerRequest.HttpServerRequest,
  status: number,
  { code, credential }: RefusalNote,
  { routeOf }: DeclaredPaths,
): void => {
  const note = noteOf(request.source)
  const reason = (status === 401 ? credential : undefined) ?? code
  if (reason !== undefined) note.refusal = reason
  if (note.route === UNMATCHED) note.route = routeOf(request.method, pathOf(request.url)) ?? UNMATCHED
}

/**
 * Runs `httpEffect` if the path matches a declared one literally. `;` is escaped, because the router would treat the
 * rest as a query.
 */
const exactly = <E, R>(
  request: HttpServerRequest.HttpServerRequest,
  { isExact }: DeclaredPaths,
  httpEffect: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
): Effect.Effect<HttpServerResponse.HttpServerResponse, E | HttpServerError.HttpServerError, R> => {
  const path = pathOf(request.url)
  if (!isExact(path))
    return Effect.fail(new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) }))
  // The parser of queries replaces what it cannot decode, and another text would be looked for.
  if (!isDecodable(request.url.slice(path.length)))
    return invalid("query", "expected well-formed percent-encoding of UTF-8; a % is sent as %25")
  if (!path.includes(";")) return httpEffect
  const url = path.replaceAll(";", "%3B") + request.url.slice(path.length)
  return Effect.provideService(httpEffect, HttpServerRequest.HttpServerRequest, request.modify({ url }))
}

const isDecodable = (encoded: string): boolean => {
  try {
    decodeURIComponent(encoded)
    return true
  } catch {
    return false
  }
}

const invalid = (path: string, message: string) =>
  respondError(InvalidRequest.response, InvalidRequest.at(path, message))

/** An id of ours. What the caller sent stands before it, so that both find the request, and no caller chooses an id of another. */
const requestIdOf = (sent: string | undefined): string =>
  sent !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(sent) ? `${sent}.${randomUUID()}` : randomUUID()

/** The path as sent, without the query, which may contain secrets. */
const pathOf = (url: string): string => url.split("?", 1)[0]!

const withEdgeHeaders = (
  response: HttpServerResponse.HttpServerResponse,
  requestId: string,
  retry: RetryNote,
  isLast: boolean,
) => {
  const isPage = response.headers["content-type"]?.startsWith("text/html") === true
  const headers: Record<string, string> = { "x-request-id": requestId, "x-content-type-options": "nosniff" }
  // A page without a policy gets the strictest.
  if (isPage && response.headers["content-security-policy"] === undefined) Object.assign(headers, pagePolicy([]))
  if (retry.code === UnsupportedContentEncoding.response.code) headers["accept-encoding"] = "identity"
  if (response.headers["cache-control"] === undefined) headers["cache-control"] = NOT_STORED
  const isLater = (response.status === 503 || response.status === 429) && retry.afterSeconds !== null
  if (isLater && response.headers["retry-after"] === undefined)
    headers["retry-after"] = String(retry.afterSeconds ?? RETRY_AFTER_SECONDS)
  // Do not wait for the rest of a request that timed out; and no request is to follow that could meet a closing socket.
  if (response.status === 408 || isLast) headers["connection"] = "close"
  return HttpServerResponse.setHeaders(response, headers)
}

const answer = (
  cause: Cause.Cause<unknown>,
  request: HttpServerRequest.HttpServerRequest,
  paths: DeclaredPaths,
): Effect.Effect<HttpServerResponse.HttpServerResponse, never, never> =>
  Effect.gen(function* () {
    const error = Cause.squash(cause)
    if (HttpServerResponse.isHttpServerResponse(error)) return error
    if (isRouteNotFound(error)) return yield* unrouted(request, paths)
    if (isBodyTooLarge(error)) return yield* respondError(BodyTooLarge.response, yield* bodyTooLarge)
    if (cause.reasons.some(isOfAwayDatabase)) {
      yield* Effect.logError("The database is unavailable", cause)
      return yield* respondError(Unavailable.response, new Unavailable({ service: "database" }))
    }
    yield* Effect.logError("A request failed", cause)
    return yield* respondError(InternalFault.response, new InternalFault())
  })

const isRouteNotFound = (error: unknown): boolean =>
  error instanceof HttpServerError.HttpServerError && error.reason._tag === "RouteNotFound"

const isOfAwayDatabase = (reason: Cause.Reason<unknown>): boolean =>
  isDatabaseAway(Cause.isFailReason(reason) ? reason.error : Cause.isDieReason(reason) && reason.defect)

const unrouted = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  { methodsOf }: DeclaredPaths,
) {
  const { method } = request
  const path = pathOf(request.url)
  const allowed = methodsOf(path)
  if (allowed.includes(method)) {
    // The route exists, so a parameter is invalid: malformed percent-encoding, or too long.
    const message = `expected path parameters in well-formed percent-encoding of UTF-8 (a % is sent as %25), of at most ${EXACT_ROUTES.maxParamLength} characters`
    return yield* invalid("path", message)
  }
  if (allowed.length === 0) {
    const shown = path.length > PATH_ECHO_MAX ? `${path.slice(0, PATH_ECHO_MAX)}…` : path
    return yield* respondError(RouteNotFound.response, new RouteNotFound({ method, path: shown }))
  }
  const response = yield* respondError(
    MethodNotAllowed.response,
    new MethodNotAllowed({ method, allowed: [...allowed] }),
  )
  return HttpServerResponse.setHeader(response, "allow", allowed.join(", "))
})
