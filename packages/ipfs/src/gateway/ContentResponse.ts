import type { Stream } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ByteRange } from "../IpfsContent.ts"
import { byteRangeOf, isSameForRange } from "./ByteRange.ts"

/** Content to answer with: its bytes, or how to read a range of them. */
export interface Content {
  readonly sizeBytes: number
  readonly bytes: Uint8Array | ((range: ByteRange) => Stream.Stream<Uint8Array>)
  readonly etag: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The content or the requested range; `undefined` if the range is unsatisfiable. HEAD ignores Range (RFC 9110, section 14.2). A
 * range has the ETag of the whole, as HTTP requires (section 15.3.7) so that clients can combine ranges, although the gateway
 * specification suggests another one.
 */
export const contentResponse = (
  request: HttpServerRequest.HttpServerRequest,
  { bytes, etag, headers: wholeHeaders, sizeBytes }: Content,
): HttpServerResponse.HttpServerResponse | undefined => {
  const asksForRange = request.method === "GET" && isSameForRange(request.headers["if-range"], etag)
  const range = asksForRange ? byteRangeOf(request.headers.range, sizeBytes) : undefined
  if (range === "unsatisfiable") return undefined
  const { end, start } = range ?? { start: 0, end: sizeBytes }
  const isPart = range !== undefined
  const headers = isPart ? { ...wholeHeaders, "content-range": `bytes ${start}-${end - 1}/${sizeBytes}` } : wholeHeaders
  const status = isPart ? 206 : 200
  if (typeof bytes !== "function")
    return HttpServerResponse.uint8Array(isPart ? bytes.subarray(start, end) : bytes, { status, headers })
  return HttpServerResponse.stream(bytes({ start, end }), { status, headers, contentLength: end - start })
}
