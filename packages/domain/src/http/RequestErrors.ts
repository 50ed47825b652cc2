import { Schema } from "effect"
import { field } from "./Field.ts"
import { InvalidIssue, ISSUES_MAX, respondWith } from "./ErrorEnvelope.ts"

/** Some part of the request (path, query, headers, body) does not say what the contract asks for. */
export class InvalidRequest extends Schema.TaggedError<InvalidRequest>()("InvalidRequest", {
  issues: Schema.Array(InvalidIssue),
}) {
  static readonly response = respondWith(InvalidRequest, {
    status: 400,
    code: "invalid_request",
    message: ({ issues }) => {
      const [first, ...rest] = issues
      if (first === undefined) return "The request is invalid"
      // Past that number the last issue says what is known of the others.
      const more = rest.length === 0 ? "" : rest.length < ISSUES_MAX ? ` (and ${rest.length} more)` : " (and more)"
      return `${first.path}: ${first.message}${more}`
    },
  })
}

/** A body in a media type the endpoint does not read. */
export class UnsupportedContentType extends Schema.TaggedError<UnsupportedContentType>()("UnsupportedContentType", {
  contentType: field(Schema.String, "Content-Type that was sent"),
  supported: field(Schema.Array(Schema.String), "Media types that the operation reads"),
}) {
  static readonly response = respondWith(UnsupportedContentType, {
    status: 415,
    code: "unsupported_content_type",
    message: ({ contentType, supported }) =>
      `Content-Type ${contentType} is not read here; send ${supported.join(" or ")}`,
  })
}

/** A body over the limit. */
export class BodyTooLarge extends Schema.TaggedError<BodyTooLarge>()("BodyTooLarge", {
  limitBytes: field(Schema.Int, "Largest body, in bytes"),
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

/** The path exists, with other methods. They are also in the `Allow` header. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()("MethodNotAllowed", {
  method: field(Schema.String, "Method that was sent"),
  allowed: field(Schema.Array(Schema.String), "Methods that the path has"),
}) {
  static readonly response = respondWith(MethodNotAllowed, {
    status: 405,
    code: "method_not_allowed",
    message: ({ method, allowed }) => `${method} is not allowed here; use ${allowed.join(", ")}`,
  })
}

/** A fault of the service itself. What happened is in the log under the request id, never in the answer. */
export class InternalFault extends Schema.TaggedError<InternalFault>()("InternalFault", {}) {
  static readonly response = respondWith(InternalFault, {
    status: 500,
    code: "internal_error",
    message: () => "Something went wrong on our side; quote the request id when you report it",
  })
}

/** The database does not answer. */
export class DatabaseUnavailable extends Schema.TaggedError<DatabaseUnavailable>()("DatabaseUnavailable", {}) {
  static readonly response = respondWith(DatabaseUnavailable, {
    status: 503,
    code: "database_unavailable",
    message: () => "The database does not answer at the moment; try again shortly",
  })
}
