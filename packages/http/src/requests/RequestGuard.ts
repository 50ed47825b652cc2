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
import { Effect, Layer } from "effect"
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
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    return yield* Effect.provideService(httpEffect, JsonBody, yield* checkedBody(request, endpoint))
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

/** Checks the request as far as schemas cannot, and parses its body if the endpoint reads JSON. */
const checkedBody = Effect.fnUntraced(function* (
  request: HttpServerRequest.HttpServerRequest,
  endpoint: HttpApiEndpoint.Top,
) {
  const nulAt = request.url.indexOf("%00")
  if (nulAt >= 0) {
    const part = request.url.lastIndexOf("?", nulAt) >= 0 ? "query" : "path"
    return yield* invalid(part, "expected text without NUL characters")
  }
  const faults = queryFaults(endpoint, yield* HttpServerRequest.ParsedSearchParams)
  if (faults.length > 0) return yield* new InvalidRequest({ issues: faults })
  if (endpoint.payload.size === 0) {
    if (endpoint.method !== "GET" && announcesBody(request.headers))
      yield* checkContentHeaders(request.headers, ["application/json"])
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
