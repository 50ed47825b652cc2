import { NotFound } from "@launch-registry/domain/http/NotFound"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { RangeNotSatisfiable } from "@launch-registry/domain/ipfs/IpfsErrors"
import { isKnown, respondError } from "@launch-registry/http/answers/Respond"
import { Effect, Option, Stream } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { carBlock, carHeader } from "../content/CarFile.ts"
import { type Block, leavesOf } from "../content/Dag.ts"
import { type ByteRange, byteRangeOf } from "./ByteRange.ts"
import { CONTENT_TYPES, contentHeaders, fileDisposition, savedAs } from "./GatewayHeaders.ts"
import { IpfsContent } from "../content/IpfsContent.ts"
import { parseCid } from "../content/ParseCid.ts"

/** Paths of the gateway, for lists of routes: the contract cannot declare paths of any length. */
export const GATEWAY_ROUTES = [
  ["GET", "/ipfs/:cid"],
  ["GET", "/ipfs/:cid/*"],
] as const

/** Characters of the path that an answer repeats. */
const PATH_LENGTH_MAX = 200

/** How content is answered: as the file, or, for clients that verify, as a block or a CAR. */
type Format = "file" | keyof typeof CONTENT_TYPES

/** The query takes precedence over Accept; `undefined` if it names another format. */
const formatOf = (query: URLSearchParams, accept = ""): Format | undefined => {
  const named = query.get("format")
  if (named !== null) return named === "raw" || named === "car" ? named : undefined
  return (["raw", "car"] as const).find((format) => accept.includes(CONTENT_TYPES[format])) ?? "file"
}

/**
 * `GET` and `HEAD /ipfs/:cid`: a file with its stored type, or, for clients that verify, any of its blocks or all as a CAR. Only
 * stored content is served; there are no directories.
 */
export const GatewayRoutes = HttpRouter.use((router) =>
  Effect.gen(function* () {
    const content = yield* IpfsContent

    /** The bytes of a file, leaf by leaf. A leaf that is missing cuts the answer off. */
    const readFile = (root: Block, { end, start }: ByteRange): Stream.Stream<Uint8Array> => {
      const wanted = leavesOf(root).filter((leaf) => leaf.start < end && leaf.end > start)
      return Stream.mapEffect(Stream.fromIterable(wanted), (leaf) =>
        Effect.map(Effect.flatMap(content.readBlock(leaf.cid), present), ({ bytes }) =>
          bytes.subarray(Math.max(start - leaf.start, 0), end - leaf.start),
        ),
      )
    }

    const readCar = (root: Block): Stream.Stream<Uint8Array> => {
      const leaves = new Map(leavesOf(root).map(({ cid }) => [cid.toString(), cid]))
      const blocks = Stream.mapEffect(Stream.fromIterable(leaves.values()), (cid) =>
        Effect.flatMap(content.readBlock(cid), present),
      )
      return Stream.concat(
        Stream.make(carHeader(root.cid), ...carBlock(root)),
        Stream.flatMap(blocks, (block) => Stream.fromIterable(carBlock(block))),
      )
    }

    const serve = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const { "*": below = "", cid: text = "" } = yield* HttpRouter.params
      const cid = parseCid(text)
      if (cid === undefined) return yield* invalid("path.cid", "expected a CID")
      const [, search = ""] = /\?(.*)$/s.exec(request.url) ?? []
      const query = new URLSearchParams(search)
      const format = formatOf(query, request.headers.accept)
      if (format === undefined) return yield* invalid("query.format", "expected raw or car")
      const key = cid.toString()
      const file = format === "file" ? yield* content.find(key) : Option.none()
      const root =
        format === "file"
          ? Option.map(file, ({ rootBytes }): Block => ({ cid, bytes: rootBytes }))
          : yield* content.readBlock(cid)
      if (Option.isNone(root) || below !== "")
        return yield* notFound(below === "" ? key : `${key}/${below.slice(0, PATH_LENGTH_MAX)}`)
      const block = root.value
      if (format === "car") {
        const etag = `"${key}.car"`
        const headers = {
          ...contentHeaders(text, key, etag, `${CONTENT_TYPES.car}; version=1; order=dfs; dups=n`),
          ...savedAs(query, `${key}.car`),
        }
        if (isKnown(request.headers["if-none-match"], etag)) return HttpServerResponse.empty({ status: 304, headers })
        return HttpServerResponse.stream(readCar(block), { headers })
      }
      if (Option.isNone(file)) {
        const headers = contentHeaders(text, key, `"${key}.raw"`, CONTENT_TYPES.raw)
        return yield* answerBytes(request, block.bytes.length, { ...headers, ...savedAs(query, `${key}.bin`) }, block)
      }
      const { contentType, sizeBytes } = file.value
      const headers = { ...contentHeaders(text, key, `"${key}"`, contentType), ...fileDisposition(query) }
      const isWhole = leavesOf(block).length === 0
      return yield* answerBytes(request, sizeBytes, headers, isWhole ? block : (range) => readFile(block, range))
    })
    yield* router.add("GET", "/ipfs/:cid/*", serve)
  }),
)

const present = (block: Option.Option<Block>): Effect.Effect<Block> =>
  Option.match(block, { onNone: () => Effect.die(new Error("A block is missing")), onSome: Effect.succeed })

/**
 * The bytes or the requested range of them. HEAD ignores Range (RFC 9110, section 14.2), and so does a JSON document: a part of it
 * is no JSON.
 */
const answerBytes = (
  { headers: asked, method }: HttpServerRequest.HttpServerRequest,
  sizeBytes: number,
  headers: Readonly<Record<string, string>> & { readonly etag: string; readonly "content-type": string },
  content: Block | ((range: ByteRange) => Stream.Stream<Uint8Array>),
): Effect.Effect<HttpServerResponse.HttpServerResponse> => {
  if (isKnown(asked["if-none-match"], headers.etag))
    return Effect.succeed(HttpServerResponse.empty({ status: 304, headers }))
  const hasRanges = headers["content-type"] !== "application/json"
  const isRanged = hasRanges && method === "GET" && (asked["if-range"] ?? headers.etag).trim() === headers.etag
  const range = isRanged ? byteRangeOf(asked.range, sizeBytes) : undefined
  if (range === "unsatisfiable")
    return Effect.map(
      respondError(RangeNotSatisfiable.response, new RangeNotSatisfiable({ sizeBytes })),
      HttpServerResponse.setHeader("content-range", `bytes */${sizeBytes}`),
    )
  const { end, start } = range ?? { start: 0, end: sizeBytes }
  const options = {
    status: range === undefined ? 200 : 206,
    contentLength: end - start,
    headers: {
      "accept-ranges": hasRanges ? "bytes" : "none",
      ...headers,
      ...(range && { "content-range": `bytes ${start}-${end - 1}/${sizeBytes}` }),
    },
  }
  return Effect.succeed(
    typeof content === "function"
      ? HttpServerResponse.stream(content({ start, end }), options)
      : HttpServerResponse.uint8Array(content.bytes.subarray(start, end), options),
  )
}

const invalid = (path: string, message: string) =>
  respondError(InvalidRequest.response, InvalidRequest.at(path, message))

const notFound = (id: string) => respondError(NotFound.response, new NotFound({ resource: "content", id }))
