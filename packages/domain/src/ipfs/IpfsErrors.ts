import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"
import { BODY_BYTES_PER_SECOND_MIN, type LimitReached } from "../http/LimitErrors.ts"

/** The file exceeds the limit. */
export class ImageTooLarge extends Schema.TaggedError<ImageTooLarge>()("ImageTooLarge", {
  limitBytes: field(Schema.Int, "Maximum size of an image, in bytes"),
}) {
  static readonly response = respondWith(ImageTooLarge, {
    status: 413,
    code: "image_too_large",
    message: ({ limitBytes }) => `The image is larger than ${limitBytes} bytes`,
  })
}

/** The content is not a PNG, JPEG, GIF or WebP, whatever its name or declared type. */
export class UnsupportedImage extends Schema.TaggedError<UnsupportedImage>()("UnsupportedImage", {}) {
  static readonly response = respondWith(UnsupportedImage, {
    status: 415,
    code: "unsupported_image",
    message: () => "The file is not a PNG, JPEG, GIF or WebP image",
  })
}

/** The body of an upload stalled, arrived too slowly, or took longer than allowed. */
export class UploadTooSlow extends Schema.TaggedError<UploadTooSlow>()("UploadTooSlow", {
  limitSeconds: field(Schema.Int, "Maximum duration of an upload, in seconds"),
}) {
  static readonly response = respondWith(UploadTooSlow, {
    status: 408,
    code: "upload_too_slow",
    message: ({ limitSeconds }) =>
      `The upload arrived too slowly: at least ${BODY_BYTES_PER_SECOND_MIN} bytes a second are required, and at most ${limitSeconds} seconds in total`,
  })
}

/** The store has reached its limit; content that is stored already can be uploaded again. */
export class StorageFull extends Schema.TaggedError<StorageFull>()("StorageFull", {
  limitBytes: field(Schema.Int, "Maximum number of bytes of all uploads together"),
}) {
  static readonly response = respondWith(StorageFull, {
    status: 507,
    code: "storage_full",
    message: () => "The store is full; new content is accepted once its operator has made room",
  })
}

/** What a cap on uploads refuses. */
export type UploadRefused = LimitReached | StorageFull
export const UPLOAD_REFUSALS = [StorageFull.response] as const

/** The byte range is outside of the content. */
export class RangeNotSatisfiable extends Schema.TaggedError<RangeNotSatisfiable>()("RangeNotSatisfiable", {
  sizeBytes: field(Schema.Int, "Size of the content, in bytes"),
}) {
  static readonly response = respondWith(RangeNotSatisfiable, {
    status: 416,
    code: "range_not_satisfiable",
    message: ({ sizeBytes }) => `The content has ${sizeBytes} bytes`,
  })
}
