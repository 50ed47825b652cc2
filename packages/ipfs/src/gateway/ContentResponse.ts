import type { Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ByteRange } from "../IpfsContent.ts"
import { byteRangeOf, isSameForRange } from "./ByteRange.ts"

/** Bytes to answer with: at hand, or to be read range by range. */
export interface Content {
  readonly sizeBytes: number
  readonly bytes: Uint8Array | ((range: ByteRange) => Stream.Stream<Uint8Array>)
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Content, whole or the range asked for; `undefined` when there is nothing of that range. Ranges are of GET alone: HEAD tells of
 * the whole (RFC 9110, section 14.2). The ETag of a range is that of the whole, as HTTP asks (section 15.3.7), though the gateway's
 * specification suggests another one: without it nobody could put ranges together.
 */
export const contentResponse = (
  request: HttpServerRequest.HttpServerRequest,
  { bytes, etag, headers: ofWhole, sizeBytes }: Content,
): HttpServerResponse.HttpServerResponse | undefined => {
  const asksForRange = request.method === "GET" && isSameForRange(request.headers["if-range"], etag)
  const range = asksForRange ? byteRangeOf(request.headers.range, sizeBytes) : undefined
  if (range === "unsatisfiable") return undefined
  const { end, start } = range ?? { start: 0, end: sizeBytes }
  const isPart = range !== undefined
  const headers = isPart ? { ...ofWhole, "content-range": `bytes ${start}-${end - 1}/${sizeBytes}` } : ofWhole
  const status = isPart ? 206 : 200
  if (typeof bytes !== "function")
    return HttpServerResponse.uint8Array(isPart ? bytes.subarray(start, end) : bytes, { status, headers })
  return HttpServerResponse.stream(bytes({ start, end }), { status, headers, contentLength: end - start })
}
