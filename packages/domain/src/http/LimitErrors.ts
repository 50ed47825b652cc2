import { Schema } from "effect"
import { respondWith } from "./ErrorEnvelope.ts"
import { field } from "./Field.ts"

/** What a body has to come in at, after the first seconds. */
export const BODY_BYTES_PER_SECOND_MIN = 32_768

/** The body stood still or came in too slowly. The connection ends with this answer. */
export class BodyTooSlow extends Schema.TaggedError<BodyTooSlow>()("BodyTooSlow", {}) {
  static readonly response = respondWith(BodyTooSlow, {
    status: 408,
    code: "body_too_slow",
    message: () => `The body came in too slowly: it has to keep ${BODY_BYTES_PER_SECOND_MIN} bytes a second`,
  })
}

/** So many large bodies are being read that there is no room for one more. */
export class BodiesBusy extends Schema.TaggedError<BodiesBusy>()("BodiesBusy", {}) {
  static readonly response = respondWith(BodiesBusy, {
    status: 503,
    code: "bodies_busy",
    message: () => "Too many large bodies are being read at the moment; try again shortly",
  })
}

/** So many long lists are being sent, to everybody or to this address, that there is no room for one more. Pages of up to 100 rows are answered. */
export class ListsBusy extends Schema.TaggedError<ListsBusy>()("ListsBusy", {}) {
  static readonly response = respondWith(ListsBusy, {
    status: 503,
    code: "lists_busy",
    message: () =>
      "Too many long lists are being sent at the moment; try again shortly, or ask for pages of up to 100 rows with `limit`",
  })
}

/** This address has as many connections (behind a trusted proxy: requests under way) as one may have. The connection ends with this answer. */
export class TooManyConnections extends Schema.TaggedError<TooManyConnections>()("TooManyConnections", {
  limit: field(Schema.Int, "Maximum number of connections of one address"),
}) {
  static readonly response = respondWith(TooManyConnections, {
    status: 429,
    code: "too_many_connections",
    message: ({ limit }) => `This address has ${limit} connections already; close some and try again`,
  })
}
