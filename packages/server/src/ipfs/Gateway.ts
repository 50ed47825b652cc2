import { ContentNotFound, RangeNotSatisfiable } from "@launch-registry/domain/ipfs/IpfsErrors"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Effect, Option } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { CID } from "multiformats/cid"
import { isKnown, respondError } from "../http/Respond.ts"
import { IpfsContent, type StoredContent } from "./IpfsContent.ts"

/** Paths of the gateway, for those who list routes. */
export const GATEWAY_ROUTES = [
  ["GET", "/ipfs/:cid"],
  ["HEAD", "/ipfs/:cid"],
] as const

const parseCid = (text: string): string | undefined => {
  try {
    return CID.parse(text).toV1().toString()
  } catch {
    return undefined
  }
}

/**
 * `GET /ipfs/:cid` by the rules of the IPFS path gateway for single files: immutable, ETag, ranges. Uploads are other
 * people's bytes on our origin, so they come with the type they were stored with, unsniffed and sandboxed.
 */
export const GatewayRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const content = yield* IpfsContent
    const serve = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { cid: text = "" } = yield* HttpRouter.params
      const cid = parseCid(text)
      if (cid === undefined) {
        const issues = [{ path: "path.cid", message: "expected a CID" }]
        return yield* respondError(InvalidRequest.response, new InvalidRequest({ issues }))
      }
      const found = yield* content.find(cid)
      return yield* Option.match(found, {
        onNone: () => respondError(ContentNotFound.response, new ContentNotFound({ cid })),
        onSome: (stored) => answer(content, stored, request),
      })
    })
    yield* router.add("GET", "/ipfs/:cid", serve)
  }),
)

const headersOf = ({ cid, contentType }: StoredContent) => ({
  "cache-control": "public, max-age=29030400, immutable",
  etag: `"${cid}"`,
  "x-ipfs-path": `/ipfs/${cid}`,
  "x-ipfs-roots": cid,
  "accept-ranges": "bytes",
  "content-type": contentType,
  "content-security-policy": "default-src 'none'; sandbox; frame-ancestors 'none'",
  "cross-origin-resource-policy": "cross-origin",
})

const answer = (
  content: IpfsContent["Service"],
  stored: StoredContent,
  request: HttpServerRequest.HttpServerRequest,
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  const headers = headersOf(stored)
  if (isKnown(request.headers["if-none-match"], headers.etag)) {
    return Effect.succeed(HttpServerResponse.empty({ status: 304, headers }))
  }
  const size = stored.sizeBytes
  const range = rangeOf(request.headers.range, size)
  if (range === "unsatisfiable") {
    const refused = respondError(RangeNotSatisfiable.response, new RangeNotSatisfiable({ sizeBytes: size }))
    return Effect.map(refused, HttpServerResponse.setHeader("content-range", `bytes */${size}`))
  }
  const { end, start } = range ?? { start: 0, end: size }
  const length = { ...headers, "content-length": String(end - start) }
  const partial = range === undefined ? length : { ...length, "content-range": `bytes ${start}-${end - 1}/${size}` }
  const status = range === undefined ? 200 : 206
  if (request.method === "HEAD") return Effect.succeed(HttpServerResponse.empty({ status, headers: partial }))
  return Effect.succeed(
    HttpServerResponse.stream(content.read(stored.cid, { start, end }), {
      status,
      headers: partial,
      contentType: stored.contentType,
      contentLength: end - start,
    }),
  )
}

/** The first byte range of a Range header; a header of another form is ignored, as HTTP asks. */
const rangeOf = (header: string | undefined, size: number) => {
  const match = /^bytes=(\d*)-(\d*)$/.exec(header ?? "")
  if (match === null || (match[1] === "" && match[2] === "")) return undefined
  const [, first = "", last = ""] = match
  const start = first === "" ? Math.max(size - Number(last), 0) : Number(first)
  const end = first === "" || last === "" ? size : Math.min(Number(last) + 1, size)
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined
  return start >= size || (first === "" && Number(last) === 0) ? "unsatisfiable" : { start, end }
}
