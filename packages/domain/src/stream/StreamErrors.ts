import { Schema } from "effect"
import { respondWith } from "../http/ErrorEnvelope.ts"

/** This process streams to as many subscribers as it may. */
export class TooManySubscribers extends Schema.TaggedError<TooManySubscribers>()("TooManySubscribers", {
  limit: Schema.Int,
}) {
  static readonly response = respondWith(TooManySubscribers, {
    status: 503,
    code: "too_many_subscribers",
    message: ({ limit }) => `This process streams to ${limit} subscribers already; try again shortly`,
  })
}
