import { Schema } from "effect"
import { field } from "./Field.ts"
import { InvalidIssue, ISSUES_MAX, respondWith } from "./ErrorEnvelope.ts"

/** Path, query, headers or body do not match the contract. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  issues: Schema.Array(InvalidIssue),
}) {
  /** With one issue. */
  static readonly at = (path: string, message: string) => new InvalidRequest({ issues: [{ path, message }] })

  static readonly response = respondWith(InvalidRequest, {
    status: 400,
    code: "invalid_request",
    message: ({ issues }) => {
      const [first, ...rest] = issues
      if (first === undefined) return "The request is invalid"
      // Beyond ISSUES_MAX the last issue stands for the rest.
      const more = rest.length === 0 ? "" : rest.length < ISSUES_MAX ? ` (and ${rest.length} more)` : " (and more)"
      return `${first.path}: ${first.message}${more}`
    },
  })
}

/** The endpoint does not accept the media type of the body, or the image in it is of none that is taken. */
export class UnsupportedContentType extends Schema.TaggedError<UnsupportedContentType>()("UnsupportedContentType", {
  contentType: Schema.optionalKey(
    field(Schema.String, "Content-Type that was sent, empty if none was; absent where the content is of another type"),
  ),
  supported: field(Schema.Array(Schema.String), "Media types that are accepted"),
}) {
  static readonly response = respondWith(UnsupportedContentType, {
    status: 415,
    code: "unsupported_content_type",
    message: ({ contentType, supported }) =>
      contentType === undefined
        ? `The file is not ${supported.join(" or ")}, whatever it is called`
        : contentType === ""
          ? `The body has no Content-Type; send ${supported.join(" or ")}`
          : `Content-Type ${contentType} is not supported; send ${supported.join(" or ")}`,
  })
}

/** The body is encoded (compressed). `Accept-Encoding` of the response says what is accepted (RFC 9110, section 15.5.16). */
export class UnsupportedContentEncoding extends Schema.TaggedError<UnsupportedContentEncoding>()(
  "UnsupportedContentEncoding",
  { contentEncoding: field(Schema.String, "Content-Encoding that was sent") },
) {
  static readonly response = respondWith(UnsupportedContentEncoding, {
    status: 415,
    code: "unsupported_content_encoding",
    message: ({ contentEncoding }) => `Content-Encoding ${contentEncoding} is not supported; send the body as it is`,
  })
}

/** The body, or the image in it, exceeds the limit. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {
  limitBytes: field(Schema.Int, "Maximum size, in bytes"),
}) {
  static readonly response = respondWith(BodyTooLarge, {
    status: 413,
    code: "body_too_large",
    message: ({ limitBytes }) => `The body is larger than ${limitBytes} bytes`,
  })
}

/** No endpoint has this path. */
export class RouteNotFound extends Schema.TaggedError<RouteNotFound>()("RouteNotFound", {
  method: field(Schema.String, "Method that was sent"),
  path: field(Schema.String, "Path that was sent"),
}) {
  static readonly response = respondWith(RouteNotFound, {
    status: 404,
    code: "route_not_found",
    message: ({ method, path }) => `There is no ${method} ${path}; /docs lists every endpoint`,
  })
}

/** The path exists, but not with this method. The `Allow` header lists its methods. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  method: field(Schema.String, "Method that was sent"),
  allowed: field(Schema.Array(Schema.String), "Methods of the path"),
}) {
  static readonly response = respondWith(MethodNotAllowed, {
    status: 405,
    code: "method_not_allowed",
    message: ({ method, allowed }) => `${method} is not allowed here; use ${allowed.join(", ")}`,
  })
}

/** An internal error. Its cause is in the log under the request id, never in the response. */
export class InternalFault extends Schema.TaggedError<InternalFault>()("InternalFault", {}) {
  static readonly response = respondWith(InternalFault, {
    status: 500,
    code: "internal_error",
    message: () => "Internal error; include the request id when you report it",
  })
}
