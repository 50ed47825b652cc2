import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { declaring, describe } from "../http/Describe.ts"
import { EDGE_ERRORS } from "../http/EdgeErrors.ts"
import { queryBoolean } from "../http/Paging.ts"
import { type OperationChange, withEtag, withHeaders } from "../http/OpenApiOperation.ts"
import { DatabaseUnavailable, InternalFault, InvalidRequest } from "../http/RequestErrors.ts"
import { ContentNotCached, ContentPathNotFound, FormatNotAcceptable } from "./GatewayErrors.ts"
import { ContentNotFound, RangeNotSatisfiable } from "./IpfsErrors.ts"

/** Longer parameters of a path are refused. */
const SEGMENT_LENGTH_MAX = 256
/** Of a request line with all headers. */
const HEAD_LENGTH_MAX = 16_384

const segment = Schema.String.check(Schema.isMaxLength(SEGMENT_LENGTH_MAX))
const headText = Schema.String.check(Schema.isMaxLength(HEAD_LENGTH_MAX))
const optional = Schema.optionalKey

const cid = segment.annotate({ description: "CID of the content, of version 0 or 1, in any base" })

const query = {
  format: optional(Schema.Literals(["raw", "car", "json"])).annotateKey({
    description:
      "`raw`: the root block; `car`: the blocks of the content; `json`: the file, if it is JSON. Goes before Accept",
  }),
  filename: optional(headText).annotateKey({ description: "Name to save the content under" }),
  download: optional(queryBoolean).annotateKey({
    description: "`true`: the content is to be saved and not to be shown",
  }),
  "dag-scope": optional(Schema.Literals(["block", "entity", "all"])).annotateKey({
    description: "Which blocks a CAR has: the root, those of the file, or all of them",
    default: "all",
  }),
  "entity-bytes": optional(headText).annotateKey({
    description: "Which bytes of the file a CAR has the blocks of: `from:to`, both included, `*` for the end",
  }),
  "car-version": optional(Schema.Literal("1")).annotateKey({ description: "Version of the CAR" }),
  "car-order": optional(Schema.Literals(["dfs", "unk"])).annotateKey({
    description: "Order of the blocks of a CAR: depth first, either way",
  }),
  "car-dups": optional(Schema.Literals(["y", "n"])).annotateKey({
    description: "Whether a block that the content has twice is in the CAR twice",
    default: "n",
  }),
}

const headers = {
  range: optional(headText).annotateKey({ description: "One range of bytes of the file: 206 with these alone" }),
  "if-range": optional(headText).annotateKey({
    description: "ETag that the range is of: all of it when it is another",
  }),
  "cache-control": optional(headText).annotateKey({
    description: "`only-if-cached`: 412 when the content is not stored here",
  }),
}

const asked = [InvalidRequest.response, FormatNotAcceptable.response, ContentNotCached.response]
const failures = [InternalFault.response, DatabaseUnavailable.response, ...EDGE_ERRORS]

const bytesOf = (contentType: string, status: 200 | 206) =>
  Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }), HttpApiSchema.status(status))

/** What files are stored as. */
const FILE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/json"]
const BLOCK = "application/vnd.ipld.raw"

const withGatewayHeaders: OperationChange = (operation) =>
  withHeaders([206], { "content-range": "The bytes that these are, and how many there are" })(
    withHeaders([200, 206], {
      "accept-ranges": "`bytes`; `none` for a CAR",
      "content-disposition": "Of blocks and CARs, and where the query names the file or asks to save it",
      "content-location": "Of blocks and CARs: their own address",
      "x-ipfs-path": "The path as it was asked for",
      "x-ipfs-roots": "CID of the content, version 1 in base32",
    })(withEtag("public, max-age=29030400, immutable: content never changes")(operation)),
  )

/** There is no success: below a file nothing is. */
const withoutSuccess: OperationChange = (operation) => {
  const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
  return { ...operation, responses: Object.fromEntries(refusals) }
}

/** Content by its CID, by the rules of the IPFS path gateway and the trustless gateway. Answered by a router of its own. */
export class GatewayApi extends HttpApiGroup.make("gateway")
  .add(
    HttpApiEndpoint.get("content", "/ipfs/:cid", {
      params: { cid },
      query,
      headers,
      success: [
        ...FILE_TYPES.flatMap((type) => [bytesOf(type, 200), bytesOf(type, 206)]),
        ...[bytesOf(BLOCK, 200), bytesOf(BLOCK, 206), bytesOf("application/vnd.ipld.car", 200)],
      ] as const,
      error: [...asked, ContentNotFound.response, RangeNotSatisfiable.response, ...failures],
    })
      .annotateMerge(
        describe(
          "Read content",
          "What was stored here, in the type it was stored with: other content is 404. Clients that verify what they get ask for blocks (`format=raw` or Accept: application/vnd.ipld.raw) or a CAR. Answers to HEAD as well.",
        ),
      )
      .annotateMerge(declaring(withGatewayHeaders)),
    HttpApiEndpoint.get("contentPath", "/ipfs/:cid/:path", {
      params: { cid, path: segment.annotate({ description: "A path below the content" }) },
      query,
      error: [...asked, ContentNotFound.response, ContentPathNotFound.response, ...failures],
    })
      .annotateMerge(
        describe(
          "Read below content",
          "What is stored here are files, and below a file there is nothing: 404, however long the path is. `/ipfs/{cid}/` is the content.",
        ),
      )
      .annotateMerge(declaring(withoutSuccess)),
  )
  .annotateMerge(OpenApi.annotations({ title: "IPFS gateway", description: "What was uploaded, by its CID" })) {}
