import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { respondWith } from "../http/ErrorEnvelope.ts"

/** The answer needs trades that have left PostgreSQL, and the history that has them does not answer. */
export class HistoryUnavailable extends Schema.TaggedError<HistoryUnavailable>()("HistoryUnavailable", {}) {
  static readonly response = respondWith(HistoryUnavailable, {
    status: 503,
    code: "history_unavailable",
    message: () => "The history that has older trades is not available at the moment; retry shortly",
  })
}

/** Figures of the whole history were asked for, and the service keeps none. */
export class HistoryNotConfigured extends Schema.TaggedError<HistoryNotConfigured>()("HistoryNotConfigured", {
  reason: field(Schema.String, "Setting that is missing"),
}) {
  static readonly response = respondWith(HistoryNotConfigured, {
    status: 503,
    code: "history_not_configured",
    message: ({ reason }) => `History is not configured: ${reason}`,
    retryAfterSeconds: "never",
  })
}
