import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { REVALIDATED } from "./CacheControl.ts"
import { etagOf, isKnown } from "./Respond.ts"

/** Serves a document from one copy in memory, with an ETag. Whatever stands in front of the service compresses it. */
export const staticDocument = (
  text: string,
  options: { readonly contentType: string; readonly headers?: Readonly<Record<string, string>> },
) => {
  const bytes = Buffer.from(text)
  const headers = { "cache-control": REVALIDATED, ...options.headers, etag: etagOf(text) }
  return Effect.map(HttpServerRequest.HttpServerRequest, (request) =>
    isKnown(request.headers["if-none-match"], headers.etag)
      ? HttpServerResponse.empty({ status: 304, headers })
      : HttpServerResponse.uint8Array(bytes, { contentType: options.contentType, headers }),
  )
}
