import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { declaring, describe } from "../http/Describe.ts"
import { Multipart } from "effect/http"
import type { OpenApiOperation } from "../http/OpenApiOperation.ts"
import { Data } from "../http/Envelope.ts"
import { IdempotencyGuard } from "../http/IdempotencyGuard.ts"
import { idempotencyHeaders } from "../http/IdempotencyKey.ts"
import { label } from "../text/PlainText.ts"
import { OptionalWebUri } from "../text/WebUri.ts"
import {
  ImageTooLarge,
  InvalidImage,
  InvalidUpload,
  IpfsUnavailable,
  TooManyUploads,
  UnsupportedImage,
  UploadsBusy,
  UploadTooSlow,
} from "./IpfsErrors.ts"
import { IpfsReport } from "./IpfsReport.ts"

/** Largest image, in bytes. */
export const IMAGE_BYTES_MAX = 15 * 1024 * 1024
/** Largest body of an image upload, in bytes: the image, and room for the other field and what stands around the parts. */
export const FORM_BYTES_MAX = IMAGE_BYTES_MAX + 65_536

/** Body of `POST /api/ipfs/upload-metadata`. */
export const MetadataDraft = Schema.Struct({
  name: label({ maxLength: 128 }),
  symbol: label({ maxLength: 32 }),
  imageUri: Schema.optionalKey(OptionalWebUri),
  bannerUri: Schema.optionalKey(OptionalWebUri),
  description: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(5000))),
  website: Schema.optionalKey(OptionalWebUri),
  twitter: Schema.optionalKey(OptionalWebUri),
  telegram: Schema.optionalKey(OptionalWebUri),
}).annotate({ identifier: "MetadataDraft" })
export type MetadataDraft = typeof MetadataDraft.Type

const FILE_NAME_BYTES_MAX = 1024

/** The parts of the form of `POST /api/ipfs/upload-image`. */
export const ImageUpload = Schema.Struct({
  image: Multipart.PersistedFileSchema,
  fileName: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(FILE_NAME_BYTES_MAX))),
})

const uploadFields = {
  imageUri: Schema.String.annotate({ description: "Gateway URL of what was stored" }),
  cid: Schema.String,
  size: Schema.Int.annotate({ description: "Bytes" }),
  backend: Schema.String.annotate({
    description: "Who has it: embedded while a backend outside is away, which gets it later",
  }),
}

const StoredImage = Schema.Struct({
  ...uploadFields,
  contentType: Schema.String.annotate({ description: "Told by content, whatever the upload said" }),
  fileName: Schema.NullOr(Schema.String).annotate({
    description: "The name that was sent, without folders and characters that hide or deceive; null if nothing is left",
  }),
}).annotate({ identifier: "StoredImage" })
const StoredMetadata = Schema.Struct({
  ...uploadFields,
  metadataUri: Schema.String.annotate({ description: "The same URL under the name that says what it is" }),
}).annotate({ identifier: "StoredMetadata" })

/** Says which media types a form is read with: effect says none. */
const withEncoding = (operation: OpenApiOperation): OpenApiOperation => {
  const form = operation.requestBody!.content["multipart/form-data"]!
  const encoding = { image: { contentType: "image/png, image/jpeg, image/gif, image/webp" } }
  const content = { "multipart/form-data": { ...form, encoding } }
  return { ...operation, requestBody: { ...operation.requestBody, content } }
}

/** `/api/ipfs` (specification, section 4). */
export class IpfsApi extends HttpApiGroup.make("ipfs")
  .add(
    HttpApiEndpoint.post("uploadImage", "/upload-image", {
      headers: idempotencyHeaders,
      payload: ImageUpload.pipe(
        HttpApiSchema.asMultipartStream({
          // Counts the headers of the part with its content: the limit of the image itself holds once it was read.
          maxFileSize: FORM_BYTES_MAX,
          maxParts: 8,
          maxFieldSize: FILE_NAME_BYTES_MAX,
          maxTotalSize: FORM_BYTES_MAX,
        }),
      ),
      success: Data(StoredImage),
      error: [
        InvalidUpload.response,
        ImageTooLarge.response,
        UnsupportedImage.response,
        InvalidImage.response,
        UploadTooSlow.response,
        UploadsBusy.response,
        TooManyUploads.response,
        IpfsUnavailable.response,
      ],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(
        describe(
          "Upload an image",
          "PNG, JPEG, GIF or WebP up to 15 MiB, told by content, at most 8192 pixels a side and 40 million in all frames, fewer where decoding takes them all at once (WebP, interlaced PNG). " +
            "Stored as it is, but without the metadata of cameras and editors (place, time, author, comments, previews); " +
            "orientation, colour profile and animation stay. Pinned as UnixFS, CIDv1.",
        ),
      )
      .annotateMerge(declaring(withEncoding)),
    HttpApiEndpoint.post("uploadMetadata", "/upload-metadata", {
      headers: idempotencyHeaders,
      payload: MetadataDraft,
      success: Data(StoredMetadata),
      error: [IpfsUnavailable.response],
    })
      .middleware(IdempotencyGuard)
      .annotateMerge(describe("Upload token metadata", "The same fields give the same document and so the same CID.")),
    HttpApiEndpoint.get("health", "/health", { success: Data(IpfsReport) }).annotateMerge(
      describe(
        "Health of the IPFS part",
        "Where uploads go, how each backend last answered, and what it is still to get.",
      ),
    ),
  )
  .prefix("/api/ipfs")
  .annotateMerge(OpenApi.annotations({ title: "IPFS", description: "Images and metadata documents" })) {}
