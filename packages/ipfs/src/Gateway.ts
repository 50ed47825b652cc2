import type { InvalidIssue } from "@launch-registry/domain/http/ErrorEnvelope"
import { NotFound } from "@launch-registry/domain/http/NotFound"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { ContentNotCached, FormatNotAcceptable } from "@launch-registry/domain/ipfs/GatewayErrors"
import { RangeNotSatisfiable } from "@launch-registry/domain/ipfs/IpfsErrors"
import { Effect, Option, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as raw from "multiformats/codecs/raw"
import { isKnown, respondError } from "@launch-registry/http/answers/Respond"
import { carEtag, carScopeOf, wantedBytesOf } from "./gateway/CarScope.ts"
import { carOf } from "./gateway/CarStream.ts"
import { type Content, contentResponse } from "./gateway/ContentResponse.ts"
import { type ContentPath, contentPathOf } from "./gateway/ContentPath.ts"
import { fileBytesOf, withRoot, readFileBytes, walkDag } from "./gateway/DagWalk.ts"
import { fileDisposition, gatewayHeaders, verifiableHeaders } from "./gateway/GatewayHeaders.ts"
import { type CarFormat, carParamIssues, OFFERED_FORMATS, type Wanted, wantedFormats } from "./ResponseFormat.ts"
import { findBlock, findRoot, isIdentity } from "./gateway/BlockLookup.ts"
import { type ByteRange, IpfsContent, type StoredFile } from "./IpfsContent.ts"

/** Paths of the gateway, for lists of routes: the contract cannot declare paths of any length. */
export const GATEWAY_ROUTES = [
  ["GET", "/ipfs/:cid"],
  ["GET", "/ipfs/:cid/*"],
] as const

type Answer = Effect.Effect<HttpServerResponse.HttpServerResponse>

/** A parsed request for content. */
interface Asked {
  readonly request: HttpServerRequest.HttpServerRequest
  readonly content: ContentPath
  /** With the CID as the caller wrote it. */
  readonly path: string
  readonly query: URLSearchParams
}

/**
 * `GET` and `HEAD /ipfs/:cid` by the specifications of the IPFS path gateway, for single files, and of the trustless gateway: a file
 * with its stored type, or, for clients that verify, blocks and CARs. Only stored content is served; there are no directories.
 */
export const GatewayRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const content = yield* IpfsContent
    const serve = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const params = yield* HttpRouter.params
      const found = contentPathOf(params.cid ?? "", params["*"] ?? "")
      if (found === undefined) return yield* invalid([{ path: "path.cid", message: "expected a CID" }])
      if (request.headers["service-worker"] === "script") return yield* invalid(NO_SERVICE_WORKER)
      const [path, query] = addressOf(request.url, params.cid ?? "")
      const wanted = wantedFormats(query, request.headers.accept)
      if ("issues" in wanted) return yield* invalid(wanted.issues)
      return yield* answer(content, { request, content: found, path, query }, wanted)
    })
    yield* router.add("GET", "/ipfs/:cid/*", serve)
  }),
)

/** The canonical path, and the query. */
const addressOf = (url: string, cidText: string): readonly [path: string, query: URLSearchParams] => {
  const mark = url.indexOf("?")
  const isSlashed = url.at(mark === -1 ? -1 : mark - 1) === "/"
  const query = mark === -1 ? "" : url.slice(mark + 1)
  return [`/ipfs/${encodeURIComponent(cidText)}${isSlashed ? "/" : ""}`, new URLSearchParams(query)]
}

/** Answers the first format that applies; whether a file is JSON is known once it is found. */
const answer = (stored: IpfsContent["Service"], asked: Asked, { formats, refused }: Wanted): Answer => {
  const [first] = formats
  if (first === undefined) return notAcceptable(refused)
  if (first.kind === "raw") return answerBlock(stored, asked)
  if (first.kind === "car") return answerCar(stored, asked, first)
  return Effect.flatMap(stored.find(asked.content.key), (found) => {
    if (Option.isNone(found)) return notStored(asked)
    if (asked.content.below !== "") return pathNotFound(asked)
    const file = found.value
    if (first.kind === "file" || file.contentType === "application/json") return answerFile(stored, asked, file)
    return answer(stored, asked, { formats: formats.slice(1), refused })
  })
}

const answerFile = (stored: IpfsContent["Service"], asked: Asked, file: StoredFile): Answer => {
  const { content, path, query, request } = asked
  const { cid, contentType, rootBytes, sizeBytes } = file
  const etag = `"${cid}"`
  const headers = gatewayHeaders({ key: cid, path, etag, contentType, ranges: "bytes" })
  const readBlock = withRoot(stored.readBlockAhead, content.cid, rootBytes)
  const bytes =
    content.cid.code === raw.code
      ? rootBytes
      : (range: ByteRange) => readFileBytes(readBlock, { cid: content.cid, ...range })
  return answerContent(request, { sizeBytes, bytes, etag, headers: Object.assign(headers, fileDisposition(query)) })
}

const answerBlock = (stored: IpfsContent["Service"], asked: Asked): Answer => {
  const { content, path, query, request } = asked
  const { below, cid, key } = content
  return Effect.flatMap(findBlock(stored.readBlock, cid), (found) => {
    if (Option.isNone(found)) return notStored(asked)
    if (below !== "") return pathNotFound(asked)
    const bytes = found.value
    const etag = `"${key}.raw"`
    const headers = gatewayHeaders({ key, path, etag, contentType: "application/vnd.ipld.raw", ranges: "bytes" })
    Object.assign(headers, verifiableHeaders({ path, query }, { format: "raw" }, `${key}.bin`))
    return answerContent(request, { sizeBytes: bytes.length, bytes, etag, headers })
  })
}

const answerCar = (stored: IpfsContent["Service"], asked: Asked, format: CarFormat): Answer => {
  const { content, path, query, request } = asked
  const { below, cid, key } = content
  const { dups, fromAccept } = format
  const issues = carParamIssues(query)
  if (issues.length > 0) return invalid(issues)
  const scope = carScopeOf(query)
  if ("issues" in scope) return invalid(scope.issues)
  return Effect.flatMap(findRoot(stored.readBlock, cid), (found) => {
    if (Option.isNone(found)) return notStored(asked)
    if (below !== "") return pathNotFound(asked)
    const sizeBytes = isIdentity(cid) ? 0 : fileBytesOf(cid, found.value)
    const wanted = wantedBytesOf(scope, sizeBytes)
    if (wanted === "outside")
      return invalid([{ path: "query.entity-bytes", message: `the content has ${sizeBytes} bytes` }])
    const etag = carEtag(key, scope, dups)
    const contentType = `application/vnd.ipld.car; version=1; order=dfs; dups=${dups ? "y" : "n"}`
    const headers = gatewayHeaders({ key, path, etag, contentType, ranges: "none" })
    Object.assign(headers, verifiableHeaders({ path, query }, { format: "car", ...fromAccept }, `${key}.car`))
    if (isNotModified(request, etag)) return Effect.succeed(HttpServerResponse.empty({ status: 304, headers }))
    const readBlock = withRoot(stored.readBlockAhead, cid, found.value)
    // An identity CID contains its bytes: there is no block to send.
    const nodes = isIdentity(cid) ? Stream.empty : walkDag(readBlock, { cid, ...wanted })
    return Effect.succeed(HttpServerResponse.stream(carOf(cid, nodes, dups), { headers }))
  })
}

/** Whether If-None-Match matches `etag`, weak or strong. */
const isNotModified = (request: HttpServerRequest.HttpServerRequest, etag: string): boolean =>
  isKnown(request.headers["if-none-match"], etag.replace(/^W\//, ""))

const answerContent = (request: HttpServerRequest.HttpServerRequest, content: Content): Answer => {
  const { etag, headers, sizeBytes } = content
  if (isNotModified(request, etag)) return Effect.succeed(HttpServerResponse.empty({ status: 304, headers }))
  const response = contentResponse(request, content)
  if (response !== undefined) return Effect.succeed(response)
  const refused = respondError(RangeNotSatisfiable.response, new RangeNotSatisfiable({ sizeBytes }))
  return Effect.map(refused, HttpServerResponse.setHeader("content-range", `bytes */${sizeBytes}`))
}

const invalid = (issues: ReadonlyArray<InvalidIssue>): Answer =>
  respondError(InvalidRequest.response, new InvalidRequest({ issues }))

const NO_SERVICE_WORKER = [{ path: "headers.service-worker", message: "content is no service worker" }]

/** Characters of the request that an answer repeats. */
const REFUSED_LENGTH_MAX = 200

const notAcceptable = (refused: string): Answer =>
  Effect.map(
    respondError(
      FormatNotAcceptable.response,
      new FormatNotAcceptable({ requested: refused.slice(0, REFUSED_LENGTH_MAX), offered: OFFERED_FORMATS }),
    ),
    HttpServerResponse.setHeader("vary", "Accept"),
  )

/** 404, or 412 for a request with `only-if-cached`. */
const notStored = ({ content: { key }, request }: Asked): Answer => {
  const onlyIfCached = /(^|[\s,])only-if-cached\b/i.test(request.headers["cache-control"] ?? "")
  return onlyIfCached
    ? respondError(ContentNotCached.response, new ContentNotCached({ cid: key }))
    : respondError(NotFound.response, new NotFound({ resource: "content", id: key }))
}

const pathNotFound = ({ content: { below, key } }: Asked): Answer =>
  respondError(
    NotFound.response,
    new NotFound({ resource: "content", id: `${key}${below.slice(0, REFUSED_LENGTH_MAX)}` }),
  )
