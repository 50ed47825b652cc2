import { Schema } from "effect"
import { InvalidIssue, respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"
import { BODY_BYTES_PER_SECOND_MIN } from "../http/LimitErrors.ts"

/**
 * The remote store did not take the upload, or answered another CID than ours. `retryAfterSeconds`: when it may be worth
 * another try, if anything is known of that.
 */
export class IpfsUnavailable extends Schema.TaggedError<IpfsUnavailable>()("IpfsUnavailable", {
  reason: field(Schema.String, "What went wrong at the store"),
  retryAfterSeconds: Schema.optionalKey(field(Schema.Int, "Time after which to try again, in seconds, if known")),
}) {
  static readonly response = respondWith(IpfsUnavailable, {
    status: 503,
    code: "ipfs_unavailable",
    message: ({ reason }) => `The IPFS store did not take the upload: ${reason}`,
    retryAfterSeconds: ({ retryAfterSeconds }) => retryAfterSeconds,
  })
}

/** The form of an upload is not one `image` file with an optional `fileName`. */
export class InvalidUpload extends Schema.TaggedError<InvalidUpload>()("InvalidUpload", {
  issues: Schema.Array(InvalidIssue),
}) {
  static readonly response = respondWith(InvalidUpload, {
    status: 400,
    code: "invalid_upload",
    message: ({ issues }) =>
      issues[0] === undefined ? "The upload is invalid" : `${issues[0].path}: ${issues[0].message}`,
  })
}

/** The file is over the limit. */
export class ImageTooLarge extends Schema.TaggedError<ImageTooLarge>()("ImageTooLarge", {
  limitBytes: field(Schema.Int, "Largest image, in bytes"),
}) {
  static readonly response = respondWith(ImageTooLarge, {
    status: 413,
    code: "image_too_large",
    message: ({ limitBytes }) => `The image is larger than ${limitBytes} bytes`,
  })
}

/** The content is no PNG, JPEG, GIF or WebP, whatever its name says. */
export class UnsupportedImage extends Schema.TaggedError<UnsupportedImage>()("UnsupportedImage", {}) {
  static readonly response = respondWith(UnsupportedImage, {
    status: 415,
    code: "unsupported_image",
    message: () => "The file is no PNG, JPEG, GIF or WebP image",
  })
}

/** The content starts like an image and is none that can be shown. */
export class InvalidImage extends Schema.TaggedError<InvalidImage>()("InvalidImage", {
  reason: field(Schema.String, "What is wrong with the image"),
}) {
  static readonly response = respondWith(InvalidImage, {
    status: 400,
    code: "invalid_image",
    message: ({ reason }) => `The image cannot be used: ${reason}`,
  })
}

/** The body of an upload stood still, came in too slowly, or did not come in within its time. */
export class UploadTooSlow extends Schema.TaggedError<UploadTooSlow>()("UploadTooSlow", {
  limitSeconds: field(Schema.Int, "Longest time that an upload may take, in seconds"),
}) {
  static readonly response = respondWith(UploadTooSlow, {
    status: 408,
    code: "upload_too_slow",
    message: ({ limitSeconds }) =>
      `The upload came in too slowly: it has to keep ${BODY_BYTES_PER_SECOND_MIN} bytes a second, and ${limitSeconds} seconds are the most`,
  })
}

/** Others upload so much at the moment that there is no room for one more, or for the rest of this one. */
export class UploadsBusy extends Schema.TaggedError<UploadsBusy>()("UploadsBusy", {}) {
  static readonly response = respondWith(UploadsBusy, {
    status: 503,
    code: "uploads_busy",
    message: () => "Too many uploads are under way at the moment; try again shortly",
  })
}

/** This address has as many uploads under way as one may have. */
export class TooManyUploads extends Schema.TaggedError<TooManyUploads>()("TooManyUploads", {
  limit: field(Schema.Int, "Maximum number of uploads in flight of one address"),
}) {
  static readonly response = respondWith(TooManyUploads, {
    status: 429,
    code: "too_many_uploads",
    message: ({ limit }) => `This address has ${limit} uploads under way already; try again when they have ended`,
  })
}

/** No content with this CID was stored here. */
export class ContentNotFound extends Schema.TaggedError<ContentNotFound>()("ContentNotFound", {
  cid: field(Schema.String, "CID that was asked for"),
}) {
  static readonly response = respondWith(ContentNotFound, {
    status: 404,
    code: "content_not_found",
    message: ({ cid }) => `Content ${cid} is not stored here`,
  })
}

/** The byte range lies outside the content. */
export class RangeNotSatisfiable extends Schema.TaggedError<RangeNotSatisfiable>()("RangeNotSatisfiable", {
  sizeBytes: field(Schema.Int, "Size of the content, in bytes"),
}) {
  static readonly response = respondWith(RangeNotSatisfiable, {
    status: 416,
    code: "range_not_satisfiable",
    message: ({ sizeBytes }) => `The content has ${sizeBytes} bytes`,
  })
}
