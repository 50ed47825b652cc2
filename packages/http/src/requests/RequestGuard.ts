import type { Unauthenticated } from "@launch-registry/domain/http/AccessErrors"
import {
  type BodyTooLarge,
  InternalFault,
  InvalidRequest,
  type UnsupportedContentEncoding,
  type UnsupportedContentType,
} from "@launch-registry/domain/http/RequestErrors"
import { RequestGuard } from "@launch-registry/domain/http/RequestGuard"
import type { Types } from "effect"
import { Context, Effect, Layer } from "effect"
import { HttpServerRequest } from "effect/http"
import type { HttpApiEndpoint } from "effect/http-api"
import { HttpApiError } from "effect/http-api"
import { checkSignedBody, CurrentGuardedRequest } from "./GuardedRequest.ts"
import { announcesBody, checkContentHeaders } from "./ContentHeaders.ts"
import { dropNullFields } from "./NullFields.ts"
import { queryFaults } from "./DeclaredQuery.ts"
import { issuesOf } from "./SchemaIssues.ts"
import { JsonBody, jsonSchemaOf } from "./JsonBody.ts"
import { losslessKeys } from "../answers/LosslessKeys.ts"
import { readBody } from "./ReadBody.ts"
import { parseStrictJson } from "./StrictJson.ts"

/** First path segment of issues, by kind of schema error. */
const PART = { Params: "path", Query: "query", Headers: "headers", Payload: "body" } as const

const utf8 = new TextDecoder("utf-8", { fatal: true })

/** Implementation of the middleware of every endpoint. */
export const RequestGuardLayer = Layer.succeed(RequestGuard, (httpEffect, { endpoint }) =>
  Effect.withFiber(({ context }) => {
    const request = Context.getUnsafe(context, HttpServerRequest.HttpServerRequest)
    const fault = targetFault(request, endpoint, Context.getUnsafe(context, HttpServerRequest.ParsedSearchParams))
    if (fault !== undefined) return Effect.fail(fault)
    // Most requests: nothing is left to check.
    if (endpoint.method === "GET" && endpoint.payload.size === 0) return httpEffect
    return Effect.flatMap(checkedBody(request, endpoint), (body) => Effect.provideService(httpEffect, JsonBody, body))
  }).pipe(Effect.catch(answerable)),
)

type Answerable =
  | BodyTooLarge
  | InternalFault
  | InvalidRequest
  | Unauthenticated
  | UnsupportedContentEncoding
  | UnsupportedContentType
  | Types.unhandled

const answerable = (error: Answerable | HttpApiError.HttpApiSchemaError): Effect.Effect<never, Answerable> =>
  HttpApiError.HttpApiSchemaError.is(error) ? schemaFault(error) : Effect.fail(error)

const schemaFault = (error: HttpApiError.HttpApiSchemaError): Effect.Effect<never, InternalFault | InvalidRequest> =>
  error.kind === "Body" || error.kind === "ResponseHeaders"
    ? // An invalid response is an internal error.
      Effect.andThen(Effect.logError("A response does not encode", error.cause), Effect.fail(new InternalFault()))
    : Effect.fail(new InvalidRequest({ issues: issuesOf(PART[error.kind], error.cause.issue) }))

const invalid = InvalidRequest.at

/** What is wrong with the target of the request that schemas cannot tell. */
const targetFault = (
  { url }: HttpServerRequest.HttpServerRequest,
  endpoint: HttpApiEndpoint.Top,
  query: HttpServerRequest.ParsedSearchParams["Service"],
): InvalidRequest | undefined => {
  const nulAt = url.indexOf("%00")
  if (nulAt >= 0) {
    const part = url.lastIndexOf("?", nulAt) >= 0 ? "query" : "path"
    return new InvalidRequest({ issues: [{ path: part, message: "expected text without NUL characters" }] })
  }
  const issues = queryFaults(endpoint, query)
  return issues.length > 0 ? new InvalidRequest({ issues }) : undefined
}

/** Checks the headers and the body as far as schemas cannot, and parses the body if the endpoint reads JSON. */
const checkedBody = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  endpoint: HttpApiEndpoint.Top,
) {
  if (endpoint.payload.size === 0) {
    if (announcesBody(request.headers)) yield* checkContentHeaders(request.headers, ["application/json"])
    return undefined
  }
  yield* checkContentHeaders(request.headers, [...endpoint.payload.keys()])
  const schema = jsonSchemaOf(endpoint)
  if (schema === undefined) return undefined
  const bytes = yield* readBody(request).pipe(
    Effect.catchTag("HttpServerError", () => Effect.fail(invalid("body", "the body could not be read"))),
  )
  const guarded = yield* CurrentGuardedRequest
  if (guarded !== undefined) yield* checkSignedBody(bytes)
  const text = yield* Effect.try({ try: () => utf8.decode(bytes), catch: () => invalid("body", "expected UTF-8") })
  if (text.trim() === "") return yield* invalid("body", "expected a JSON body")
  const parsed = parseStrictJson(text, losslessKeys(schema))
  if (parsed.faults !== undefined) return yield* new InvalidRequest({ issues: parsed.faults })
  dropNullFields(schema.ast, parsed.value)
  if (guarded !== undefined) guarded.body = parsed.value
  return parsed.value
})
