import { Schema } from "effect"
import { respondWith } from "./ErrorEnvelope.ts"
import { field } from "./Field.ts"

/** Minimum transfer rate of a body, after the first seconds. */
export const BODY_BYTES_PER_SECOND_MIN = 32_768

/** The body stalled or arrived too slowly. The connection is closed after this response. */
export class BodyTooSlow extends Schema.TaggedError<BodyTooSlow>()("BodyTooSlow", {}) {
  static readonly response = respondWith(BodyTooSlow, {
    status: 408,
    code: "body_too_slow",
    message: () => `The body arrived too slowly: at least ${BODY_BYTES_PER_SECOND_MIN} bytes a second are required`,
  })
}

/** The memory for large request bodies is exhausted. */
export class BodiesBusy extends Schema.TaggedError<BodiesBusy>()("BodiesBusy", {}) {
  static readonly response = respondWith(BodiesBusy, {
    status: 503,
    code: "bodies_busy",
    message: () => "Too many large request bodies at the moment; retry shortly",
  })
}

/** Too many long lists are being sent, in total or to this address. Pages of up to 100 rows are still served. */
export class ListsBusy extends Schema.TaggedError<ListsBusy>()("ListsBusy", {}) {
  static readonly response = respondWith(ListsBusy, {
    status: 503,
    code: "lists_busy",
    message: () =>
      "Too many long lists are being sent at the moment; retry shortly, or request pages of up to 100 rows with `limit`",
  })
}

/**
 * This address has reached the limit of connections (behind a trusted proxy: of requests in flight). The connection is
 * closed after this response.
 */
export class TooManyConnections extends Schema.TaggedError<TooManyConnections>()("TooManyConnections", {
  limit: field(Schema.Int, "Maximum number of connections of one address"),
}) {
  static readonly response = respondWith(TooManyConnections, {
    status: 429,
    code: "too_many_connections",
    message: ({ limit }) => `This address already has ${limit} connections; close some and retry`,
  })
}
