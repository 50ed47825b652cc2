import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"
import { field } from "../http/Field.ts"

/** This process streams to as many subscribers as it may. */
export class TooManySubscribers extends Schema.TaggedError<TooManySubscribers>()("TooManySubscribers", {
  limit: field(Schema.Int, "Maximum number of subscribers of a process"),
}) {
  static readonly response = respondWith(TooManySubscribers, {
    status: 503,
    code: "too_many_subscribers",
    message: ({ limit }) => `This process streams to ${limit} subscribers already; try again shortly`,
  })
}

/** This address follows as many streams as one may. */
export class TooManyStreams extends Schema.TaggedError<TooManyStreams>()("TooManyStreams", {
  limit: field(Schema.Int, "Maximum number of streams of one address"),
}) {
  static readonly response = respondWith(TooManyStreams, {
    status: 429,
    code: "too_many_streams",
    message: ({ limit }) => `This address follows ${limit} streams already; close some and try again`,
  })
}
