import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"

/** This process has reached the limit of subscribers. */
export class TooManySubscribers extends Schema.TaggedError<TooManySubscribers>()("TooManySubscribers", {
  limit: field(Schema.Int, "Maximum number of subscribers per process"),
}) {
  static readonly response = respondWith(TooManySubscribers, {
    status: 503,
    code: "too_many_subscribers",
    message: ({ limit }) => `This process already streams to ${limit} subscribers; retry shortly`,
  })
}

/** This address has reached the limit of streams. */
export class TooManyStreams extends Schema.TaggedError<TooManyStreams>()("TooManyStreams", {
  limit: field(Schema.Int, "Maximum number of streams per address"),
}) {
  static readonly response = respondWith(TooManyStreams, {
    status: 429,
    code: "too_many_streams",
    message: ({ limit }) => `This address already has ${limit} streams; close some and retry`,
  })
}
