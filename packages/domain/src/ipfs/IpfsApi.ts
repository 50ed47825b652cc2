import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { declaring, describe } from "../http/Describe.ts"
import { Multipart } from "effect/http"
import type { OpenApiOperation } from "../http/OpenApiOperation.ts"
import { Data } from "../http/Envelope.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders } from "../http/IdempotencyKey.ts"
import { field } from "../http/Field.ts"
import { label, paragraphs } from "../text/PlainText.ts"
import { OptionalWebUri } from "../text/WebUri.ts"
import { StorageFull } from "./IpfsErrors.ts"
import { IpfsReport } from "./IpfsReport.ts"

/** Maximum size of an image, in bytes. */
export const IMAGE_BYTES_MAX = 15 * 1024 * 1024
/** Maximum size of the body of an image upload, in bytes: the image, the other field and the multipart framing. */
export const FORM_BYTES_MAX = IMAGE_BYTES_MAX + 65_536

/** Body of `POST /api/ipfs/upload-metadata`. */
export const MetadataDraft = Schema.Struct({
  name: field(label({ maxLength: 128 }), "Name of the token"),
  symbol: field(label({ maxLength: 32 }), "Ticker symbol"),
  imageUri: Schema.optionalKey(field(OptionalWebUri, "Image of the token: an https or ipfs URI, or empty")),
  bannerUri: Schema.optionalKey(field(OptionalWebUri, "Banner image: an https or ipfs URI, or empty")),
  description: Schema.optionalKey(field(paragraphs({ maxLength: 5000 }), "Text about the token")),
  website: Schema.optionalKey(field(OptionalWebUri, "Website: an https or ipfs URI, or empty")),
  twitter: Schema.optionalKey(field(OptionalWebUri, "Page at X (Twitter): an https URI, or empty")),
  telegram: Schema.optionalKey(field(OptionalWebUri, "Telegram channel or group: an https URI, or empty")),
}).annotate({ identifier: "MetadataDraft", description: "Fields of a metadata document" })
export type MetadataDraft = typeof MetadataDraft.Type

const FILE_NAME_BYTES_MAX = 1024

/** The parts of the form of `POST /api/ipfs/upload-image`. */
export const ImageUpload = Schema.Struct({
  image: Multipart.PersistedFileSchema,
  fileName: Schema.optionalKey(
    field(
      Schema.String.check(Schema.isMaxLength(FILE_NAME_BYTES_MAX)),
      "Display name of the image; null in the answer without it",
    ),
  ),
})

const uploadFields = {
  imageUri: Schema.String.annotate({ description: "Gateway URL of the stored content" }),
  cid: field(Schema.String, "CID of the stored content, version 1"),
  size: Schema.Int.annotate({ description: "Size of the stored content, in bytes" }),
  backend: Schema.String.annotate({
    description: "Backend that stores it; embedded while the remote backend is unavailable, which gets it later",
  }),
}

const StoredImage = Schema.Struct({
  ...uploadFields,
  contentType: Schema.String.annotate({
    description: "Media type, detected from the bytes; the declared type is ignored",
  }),
  fileName: Schema.NullOr(Schema.String).annotate({
    description: "Submitted name without folders and control or deceptive characters; null if nothing is left",
  }),
}).annotate({ identifier: "StoredImage", description: "A stored image" })
const StoredMetadata = Schema.Struct({
  ...uploadFields,
  metadataUri: Schema.String.annotate({ description: "Same value as imageUri" }),
}).annotate({ identifier: "StoredMetadata", description: "A stored metadata document" })

/** Describes the file part and its media types, which effect's schema cannot express. */
const withEncoding = (operation: OpenApiOperation): OpenApiOperation => {
  const { schema, ...form } = operation.requestBody!.content["multipart/form-data"]!
  const { image, ...fields } = schema.properties as { readonly image: object }
  const described = { ...image, description: "The image: one file, PNG, JPEG, GIF or WebP, at most 15 MiB" }
  const encoding = { image: { contentType: "image/png, image/jpeg, image/gif, image/webp" } }
  const properties = { image: described, ...fields }
  const content = { "multipart/form-data": { ...form, schema: { ...schema, properties }, encoding } }
  return { ...operation, requestBody: { ...operation.requestBody, content } }
}

/** `/api/ipfs`. */
export class IpfsApi extends HttpApiGroup.make("ipfs")
  .add(
    HttpApiEndpoint.post("uploadImage", "/upload-image", {
      headers: idempotencyHeaders,
      payload: ImageUpload.pipe(
        HttpApiSchema.asMultipartStream({
          // Includes the headers of the part; the image itself is checked against its limit after reading.
          maxFileSize: FORM_BYTES_MAX,
          maxParts: 8,
          maxFieldSize: FILE_NAME_BYTES_MAX,
          maxTotalSize: FORM_BYTES_MAX,
        }),
      ),
      success: Data(StoredImage),
      error: [StorageFull.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Upload an image",
          "PNG, JPEG, GIF or WebP up to 15 MiB. Detected from the bytes; the declared type is ignored. At most 8192 pixels a side and 40 million pixels over all frames, fewer for formats that are decoded at once (WebP, interlaced PNG). " +
            "Stored unchanged except for metadata of cameras and editors (such as location, time and author), which is removed; " +
            "orientation, colour profile and animation are preserved. The CID is a UnixFS CID, version 1.",
        ),
      )
      .annotateMerge(declaring(withEncoding)),
    HttpApiEndpoint.post("uploadMetadata", "/upload-metadata", {
      headers: idempotencyHeaders,
      payload: MetadataDraft,
      success: Data(StoredMetadata),
      error: [StorageFull.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Upload a metadata document",
          "Stores a JSON document of these fields, for the `uri` of a token. The same fields give the same document and the same CID.",
        ),
      ),
    HttpApiEndpoint.get("health", "/health", { success: Data(IpfsReport) }).annotateMerge(
      describe(
        "Read the health of IPFS storage",
        "Where uploads go, the last result of each backend, and the uploads that it does not have yet.",
      ),
    ),
  )
  .prefix("/api/ipfs")
  .annotateMerge(
    OpenApi.annotations({ title: "IPFS", description: "Uploads of images and metadata documents to IPFS" }),
  ) {}
