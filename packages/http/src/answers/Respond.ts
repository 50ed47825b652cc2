import { hash } from "node:crypto"
import { Effect, Schema } from "effect"
import { HttpServerResponse } from "effect/http"
import { REVALIDATED } from "./CacheControl.ts"
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

/** JSON and its ETag. */
export interface TaggedText {
  readonly text: string
  readonly etag: string
}

export const tagged = (text: string): TaggedText => ({ text, etag: etagOf(text) })

/** The ETag of an answer. */
export const etagOf = (content: string): string => `"${digestOf(content)}"`

export const notModified = (etag: string, cacheControl = REVALIDATED): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.empty({ status: 304, headers: { etag, "cache-control": cacheControl } })

/** JSON with its ETag; 304 if the client has it. */
export const taggedText = (
  ifNoneMatch: string | undefined,
  { etag, text }: TaggedText,
  cacheControl = REVALIDATED,
): HttpServerResponse.HttpServerResponse =>
  isKnown(ifNoneMatch, etag)
    ? notModified(etag, cacheControl)
    : HttpServerResponse.text(text, {
        contentType: "application/json",
        headers: { etag, "cache-control": cacheControl },
      })

/** Whether an If-None-Match header has `etag`, strong or weak, or is `*`. No tag has quotes within, so none holds another. */
export const isKnown = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch !== undefined && (ifNoneMatch.includes(etag) || ifNoneMatch.trim() === "*")
