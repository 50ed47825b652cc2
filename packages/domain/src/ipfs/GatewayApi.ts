import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { declaring, describe } from "../http/Describe.ts"
import { EDGE_ERRORS } from "../http/EdgeErrors.ts"
import { NotFound } from "../http/NotFound.ts"
import { queryBoolean } from "../http/Paging.ts"
import { type OperationChange, withEtag, withHeaders } from "../http/OpenApiOperation.ts"
import { InternalFault, InvalidRequest } from "../http/RequestErrors.ts"
import { Unavailable } from "../http/Unavailable.ts"
import { RangeNotSatisfiable } from "./IpfsErrors.ts"

/** Maximum length of a path parameter. */
const SEGMENT_LENGTH_MAX = 256
/** Maximum size of a request line with all headers. */
const HEAD_LENGTH_MAX = 16_384

const segment = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(SEGMENT_LENGTH_MAX))
const headText = Schema.String.check(Schema.isMaxLength(HEAD_LENGTH_MAX))
const optional = Schema.optionalKey

const cid = segment.annotate({ description: "CID of the content, of version 0 or 1, in any base" })

const query = {
  format: optional(Schema.Literals(["raw", "car"])).annotateKey({
    description: "`raw`: the block itself; `car`: all blocks of the content. Takes precedence over Accept",
  }),
  filename: optional(headText).annotateKey({ description: "Name to save the content under" }),
  download: optional(queryBoolean).annotateKey({
    description: "`true`: save the content instead of displaying it",
  }),
}

const headers = {
  range: optional(headText).annotateKey({
    description:
      "One byte range of an image or a block: 206 with these bytes. A JSON document is always answered whole",
  }),
  "if-range": optional(headText).annotateKey({
    description: "ETag for which the range is valid; with another ETag the whole file is returned",
  }),
}

const failures = [InternalFault.response, Unavailable.response, ...EDGE_ERRORS]

const bytesOf = (contentType: string, status: 200 | 206) =>
  Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType }), HttpApiSchema.status(status))

/** Media types of which ranges are served. */
const RANGED_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp", "application/vnd.ipld.raw"]
const JSON_TYPE = "application/json"

/** A stored document is a JSON object. The endpoint declares its bytes, which is what the server answers with. */
const withJsonDocuments: OperationChange = (operation) => {
  const { 200: whole, ...others } = operation.responses
  const document = { ...whole!.content![JSON_TYPE]!, schema: { type: "object", additionalProperties: true } }
  return {
    ...operation,
    responses: { ...others, 200: { ...whole!, content: { ...whole!.content, [JSON_TYPE]: document } } },
  }
}

const withGatewayHeaders: OperationChange = (operation) =>
  withHeaders([206, 416], {
    "content-range": "The returned byte range and the size of the file; for 416 the size alone",
  })(
    withHeaders([200, 206], {
      "accept-ranges": "`bytes`; `none` for a JSON document, absent for a CAR",
      "content-disposition": "For blocks and CARs, and if the query has `filename` or `download`",
      "x-ipfs-path": "The requested path",
      "x-ipfs-roots": "CID of the content, version 1 in base32",
    })(withEtag("public, max-age=29030400, immutable: content behind a CID never changes")(operation)),
  )

/** Drops successful responses: a file has no paths below it. */
const withoutSuccess: OperationChange = (operation) => {
  const refusals = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
  return { ...operation, responses: Object.fromEntries(refusals) }
}

/** Content by CID. Served by its own router. */
export class GatewayApi extends HttpApiGroup.make("gateway")
  .add(
    HttpApiEndpoint.get("content", "/ipfs/:cid", {
      params: { cid },
      query,
      headers,
      success: [
        ...RANGED_TYPES.flatMap((type) => [bytesOf(type, 200), bytesOf(type, 206)]),
        ...[bytesOf(JSON_TYPE, 200), bytesOf("application/vnd.ipld.car", 200)],
      ] as const,
      error: [InvalidRequest.response, NotFound.response, RangeNotSatisfiable.response, ...failures],
    })
      .annotateMerge(
        describe(
          "Read content",
          "Content that was uploaded here, with its stored media type; other content is 404. Clients that verify content request blocks (`format=raw` or Accept: application/vnd.ipld.raw) or a CAR. HEAD is supported as well.",
        ),
      )
      .annotateMerge(declaring((operation) => withGatewayHeaders(withJsonDocuments(operation)))),
    HttpApiEndpoint.get("contentPath", "/ipfs/:cid/:path", {
      params: { cid, path: segment.annotate({ description: "A path below the content" }) },
      query,
      error: [InvalidRequest.response, NotFound.response, ...failures],
    })
      .annotateMerge(
        describe(
          "Read below content",
          "All content here is files, and a file has no paths below it: always 404. `/ipfs/{cid}/` is the content.",
        ),
      )
      .annotateMerge(declaring(withoutSuccess)),
  )
  .annotateMerge(OpenApi.annotations({ title: "IPFS gateway", description: "Uploaded content by its CID" })) {}
