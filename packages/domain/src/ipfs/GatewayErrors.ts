import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"

/** A response format that the gateway does not answer for this content, or at all. Nothing is converted: clients do. */
export class FormatNotAcceptable extends Schema.TaggedError<FormatNotAcceptable>()("FormatNotAcceptable", {
  requested: field(Schema.String, "Format that was asked for"),
  offered: field(Schema.Array(Schema.String), "Media types that can be asked for"),
}) {
  static readonly response = respondWith(FormatNotAcceptable, {
    status: 406,
    code: "format_not_acceptable",
    message: ({ offered, requested }) =>
      `${requested} is not answered here; ask for ${offered.join(" or ")} and convert what comes`,
  })
}

/** The caller asked for content only if it is here at once (`Cache-Control: only-if-cached`), and it is not. */
export class ContentNotCached extends Schema.TaggedError<ContentNotCached>()("ContentNotCached", {
  cid: field(Schema.String, "CID that was asked for"),
}) {
  static readonly response = respondWith(ContentNotCached, {
    status: 412,
    code: "content_not_cached",
    message: ({ cid }) => `Content ${cid} is not stored here`,
  })
}

/** The content is here and is a file: nothing lies below it. */
export class ContentPathNotFound extends Schema.TaggedError<ContentPathNotFound>()("ContentPathNotFound", {
  cid: field(Schema.String, "CID that was asked for"),
  path: field(Schema.String, "Path below it that was asked for"),
}) {
  static readonly response = respondWith(ContentPathNotFound, {
    status: 404,
    code: "content_path_not_found",
    message: ({ cid, path }) => `${cid} is a file: it has no ${path}`,
  })
}
