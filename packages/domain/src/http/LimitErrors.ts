import { Schema } from "effect"
import { respondWith } from "./ErrorEnvelope.ts"
import { field } from "./Field.ts"

/** The request, its body or an upload took longer than allowed to arrive. The connection is closed. */
export class RequestTimeout extends Schema.TaggedError<RequestTimeout>()("RequestTimeout", {}) {
  static readonly response = respondWith(RequestTimeout, {
    status: 408,
    code: "request_timeout",
    message: () => "The request took too long to arrive",
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

/** What a client may have or do only so often at a time or in a day, and what is said of it. */
const LIMITS = {
  connections: (limit: number) => `This address already has ${limit} connections; close some and retry`,
  deposits: (limit: number) => `${limit} transfers were reported for this swap within an hour`,
  messages: (limit: number) => `${limit} messages of this endpoint are pending; retry once they are delivered`,
  records_today: (limit: number) => `This client has added ${limit} records today; add more tomorrow (UTC)`,
  streams: (limit: number) => `This address already has ${limit} streams; close some and retry`,
  submissions: (limit: number) => `${limit} transactions of this fee payer are on their way already; retry shortly`,
  uploads: (limit: number) => `This address may have ${limit} uploads at a time; retry when others have finished`,
  uploads_today: (limit: number) => `This client has made ${limit} uploads today; upload again tomorrow (UTC)`,
} as const

/**
 * The client has as many of `resource` at a time, or in a day, as it may have. At the limit of connections (behind a
 * trusted proxy: of requests in flight) the connection is closed after this response.
 */
export class LimitReached extends Schema.TaggedError<LimitReached>()("LimitReached", {
  resource: field(Schema.Literals(Object.keys(LIMITS) as Array<keyof typeof LIMITS>), "What is limited"),
  limit: field(Schema.Int, "How many this client may have"),
  retryAfterSeconds: Schema.optionalKey(field(Schema.Int, "Seconds until it may have more, if known")),
}) {
  static readonly response = respondWith(LimitReached, {
    status: 429,
    code: "limit_reached",
    message: ({ limit, resource }) => LIMITS[resource](limit),
    retryAfterSeconds: ({ retryAfterSeconds }) => retryAfterSeconds,
  })
}

/** What is stored until somebody deletes it or it ends, and what is said of it. */
const STORED = {
  endpoints: (limit: number) => `You have ${limit} endpoints already; delete one first`,
  endpoints_of_service: (limit: number) => `This service has ${limit} endpoints already; ask its operator`,
  indexer_jobs: (limit: number) => `${limit} indexer jobs wait or run already: cancel one, or wait until it has ended`,
} as const

/** There are as many of `resource` as there may be: one of them has to go first. */
export class TooMany extends Schema.TaggedError<TooMany>()("TooMany", {
  resource: field(Schema.Literals(Object.keys(STORED) as Array<keyof typeof STORED>), "What there are too many of"),
  limit: field(Schema.Int, "How many there may be"),
}) {
  static readonly response = respondWith(TooMany, {
    status: 409,
    code: "too_many",
    message: ({ limit, resource }) => STORED[resource](limit),
  })
}

/** What this service does only so much of at a time, and what is said of it. */
const WORK = {
  deliveries: "The inbox takes nothing more at the moment; send it again",
  holders: "The holders of too many tokens are being read at the moment; retry shortly",
  lists:
    "Too many long lists are being sent at the moment; retry shortly, or request pages of up to 100 rows with `limit`",
  streams: "This process has as many streams as it may have; retry shortly",
  submissions: "Too many transactions are on their way already; retry shortly",
  uploads: "Too many uploads in flight at the moment; retry shortly",
} as const

/** The service has as much work of this kind as it takes at a time. Of lists, pages of up to 100 rows are still served. */
export class Busy extends Schema.TaggedError<Busy>()("Busy", {
  resource: field(Schema.Literals(Object.keys(WORK) as Array<keyof typeof WORK>), "Kind of work"),
}) {
  static readonly response = respondWith(Busy, {
    status: 503,
    code: "busy",
    message: ({ resource }) => WORK[resource],
  })
}
