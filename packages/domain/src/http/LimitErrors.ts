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

/** This client has used up its requests of the window; costly requests count several times. */
export class RateLimited extends Schema.TaggedError<RateLimited>()("RateLimited", {
  limit: field(Schema.Int, "Requests of one client in a window"),
  windowSeconds: field(Schema.Int, "Length of the window, in seconds"),
  weight: field(Schema.Int, "Number of requests that this one counts as"),
  retryAfterSeconds: field(Schema.Int, "Seconds until the window ends"),
}) {
  static readonly response = respondWith(RateLimited, {
    status: 429,
    code: "rate_limited",
    message: ({ limit, retryAfterSeconds, windowSeconds }) =>
      `More than ${limit} requests in ${windowSeconds} seconds; retry in ${retryAfterSeconds} seconds`,
    retryAfterSeconds: ({ retryAfterSeconds }) => retryAfterSeconds,
  })
}

/** This client has reached its limit of registered tokens and recorded transactions in a day. */
export class TooManyRecordsToday extends Schema.TaggedError<TooManyRecordsToday>()("TooManyRecordsToday", {
  limit: field(Schema.Int, "Maximum number of tokens and transaction records that one client adds in a day"),
  retryAfterSeconds: field(Schema.Int, "Seconds until the next day begins (UTC)"),
}) {
  static readonly response = respondWith(TooManyRecordsToday, {
    status: 429,
    code: "too_many_records_today",
    message: ({ limit }) => `This client has added ${limit} records today; add more tomorrow (UTC)`,
    retryAfterSeconds: ({ retryAfterSeconds }) => retryAfterSeconds,
  })
}
