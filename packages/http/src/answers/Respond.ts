import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ErrorResponse } from "@launch-registry/domain/http/ErrorEnvelope"

/** Error responses outside of declared endpoints. */
export const respondError = <E>(
  response: ErrorResponse<E>,
  error: E,
): Effect.Effect<HttpServerResponse.HttpServerResponse> =>
  Schema.encodeEffect(response)(error).pipe(
    Effect.orDie,
    Effect.map((body) => HttpServerResponse.jsonUnsafe(body, { status: response.httpStatus })),
  )

/** Digest of content for ETags. */
export const digestOf = (content: string | Uint8Array): string => hash("sha256", content, "base64url").slice(0, 22)

/** `body` with an ETag; 304 if the client has it. */
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

/** Whether an If-None-Match header matches `etag`, strong or weak, or is `*`. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined &&
  ifNoneMatch.split(",").some((tag) => {
    const known = tag.trim().replace(/^W\//, "")
    return known === "*" || known === etag
  })
