import { Schema } from "effect"
import { field } from "../http/Field.ts"

/** One backend of the configured order, or one that is not in it any more and never got some uploads. */
export const IpfsBackendReport = Schema.Struct({
  name: field(Schema.String, "Name of the backend: embedded, filebase or w3up"),
  status: Schema.Literals(["up", "down", "unknown"]).annotate({
    description: "up or down by the last answer to this replica; unknown until it was asked",
  }),
  lastSuccessAt: field(Schema.NullOr(Schema.String), "When it last answered well, ISO 8601; null before"),
  lastFailureAt: field(Schema.NullOr(Schema.String), "When it last failed, ISO 8601; null before"),
  lastFailure: field(Schema.NullOr(Schema.String), "Why it last failed; null before"),
  outbox: field(
    Schema.Struct({
      pending: Schema.Int.annotate({
        description: "Number of uploads that are stored here and not yet at this backend",
      }),
      failing: Schema.Int.annotate({ description: "Number of these that were tried at least three times" }),
      oldestAt: field(
        Schema.NullOr(Schema.String),
        "When the oldest of these was uploaded, ISO 8601; null without any",
      ),
      lastError: Schema.NullOr(Schema.String).annotate({ description: "Why the latest try failed; null without one" }),
    }),
    "Uploads that the backend does not have yet",
  ),
  note: Schema.NullOr(Schema.String).annotate({ description: "What else an operator should know; null when nothing" }),
}).annotate({ identifier: "IpfsBackendReport", description: "State of one backend" })
export type IpfsBackendReport = typeof IpfsBackendReport.Type

/** State of the IPFS part: where uploads go, and what is still on its way. */
export const IpfsReport = Schema.Struct({
  backend: Schema.String.annotate({
    description: "Name of the backend that uploads belong to: the first of the configured order",
  }),
  backends: field(Schema.Array(IpfsBackendReport), "The backends in the configured order"),
  outboxPending: Schema.Int.annotate({
    description: "Number of uploads that a backend of the order does not have yet",
  }),
  lastUploadAt: field(Schema.NullOr(Schema.String), "When the latest upload came, ISO 8601; null before the first"),
}).annotate({ identifier: "IpfsHealth", description: "State of the IPFS part" })
export type IpfsReport = typeof IpfsReport.Type
