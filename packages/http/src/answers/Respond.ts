import { createHash } from "node:crypto"
import { Effect, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ErrorResponse } from "@launch-registry/domain/http/ErrorEnvelope"

/** The envelope and status of an error, for answers that are made outside a declared endpoint. */
export const respondError = <E>(
  response: ErrorResponse<E>,
  error: E,
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Schema.encodeEffect(response)(error).pipe(
    Effect.orDie,
    Effect.map((body) => HttpServerResponse.jsonUnsafe(body, { status: response.httpStatus })),
  )

/** What an ETag says of content. */
export const digestOf = (content: string | Uint8Array): string =>
  createHash("sha256").update(content).digest("base64url").slice(0, 22)

/** `body` with an ETag of its content, and not again to a caller who has it. */
export const taggedResponse = (
  request: HttpServerRequest.HttpServerRequest,
  body: object,
): HttpServerResponse.HttpServerResponse => {
  const text = JSON.stringify(body)
  const etag = `"${digestOf(text)}"`
  return isKnown(request.headers["if-none-match"], etag)
    ? HttpServerResponse.empty({ status: 304, headers: { etag } })
    : HttpServerResponse.text(text, { contentType: "application/json", headers: { etag, "cache-control": "no-cache" } })
}

/** Whether an If-None-Match header names `etag`, strong or weak, or anything at all. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(",").some((tag) => {
    const known = tag.trim().replace(/^W\//, "")
    return known === "*" || known === etag
  })
