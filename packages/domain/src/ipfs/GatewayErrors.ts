import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"

/** The gateway does not support this response format, in general or for this content. It does not convert formats. */
export class FormatNotAcceptable extends Schema.TaggedError<FormatNotAcceptable>()("FormatNotAcceptable", {
  requested: field(Schema.String, "Requested format"),
  offered: field(Schema.Array(Schema.String), "Supported media types"),
}) {
  static readonly response = respondWith(FormatNotAcceptable, {
    status: 406,
    code: "format_not_acceptable",
    message: ({ offered, requested }) =>
      `${requested} is not supported; request ${offered.join(" or ")} and convert it`,
  })
}

/** The request has `Cache-Control: only-if-cached`, and the content is not stored here. */
export class ContentNotCached extends Schema.TaggedError<ContentNotCached>()("ContentNotCached", {
  cid: field(Schema.String, "CID of the request"),
}) {
  static readonly response = respondWith(ContentNotCached, {
    status: 412,
    code: "content_not_cached",
    message: ({ cid }) => `Content ${cid} is not stored here`,
  })
}
