import { promisify } from "node:util"
import { brotliCompress, constants, gzip } from "node:zlib"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { codingFor } from "./AcceptHeader.ts"
import { digestOf, isKnown } from "./Respond.ts"

type Coding = "br" | "gzip"

/** Enough for a page that changes with its data. */
const BROTLI_QUALITY = 5

const compressWith: { readonly [C in Coding]: (bytes: Buffer, quality: number) => Promise<Buffer> } = {
  br: (bytes, quality) =>
    promisify(brotliCompress)(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
      },
    }),
  gzip: (bytes) => promisify(gzip)(bytes),
}

/**
 * Serves a static document from one copy in memory, compressed if accepted, with an ETag. Each coding is compressed on
 * first use, off the event loop, and cached.
 */
export const staticDocument = (
  text: string,
  {
    contentType,
    headers = {},
    codings = ["br", "gzip"],
    quality = BROTLI_QUALITY,
  }: {
    readonly contentType: string
    readonly headers?: Readonly<Record<string, string>>
    /** None for short documents. */
    readonly codings?: ReadonlyArray<Coding>
    /** Of brotli. */
    readonly quality?: number
  },
) => {
  const bytes = Buffer.from(text)
  const digest = digestOf(bytes)
  const made = new Map<Coding, Promise<Buffer>>()
  const inCoding = (coding: Coding): Promise<Buffer> => {
    const known = made.get(coding)
    if (known !== undefined) return known
    const compressed = compressWith[coding](bytes, quality)
    made.set(coding, compressed)
    // Failures are not cached.
    compressed.catch(() => made.delete(coding))
    return compressed
  }
  return Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const coding = codingFor(request.headers["accept-encoding"], codings)
    // Each coding is its own representation.
    const etag = coding === undefined ? `"${digest}"` : `"${digest}-${coding}"`
    const shared = { "cache-control": "no-cache", vary: "accept-encoding", ...headers, etag }
    if (isKnown(request.headers["if-none-match"], etag))
      return HttpServerResponse.empty({ status: 304, headers: shared })
    if (coding === undefined) return HttpServerResponse.uint8Array(bytes, { contentType, headers: shared })
    const compressed = yield* Effect.promise(() => inCoding(coding))
    return HttpServerResponse.uint8Array(compressed, {
      contentType,
      headers: { ...shared, "content-encoding": coding },
    })
  })
}
