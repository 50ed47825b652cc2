import { Schema } from "effect"
import { field } from "../http/Field.ts"

/** A configured backend, or a removed one that still misses uploads. */
export const IpfsBackendReport = Schema.Struct({
  name: field(Schema.String, "Name of the backend: embedded, filebase or w3up"),
  status: Schema.Literals(["up", "down", "unknown"]).annotate({
    description: "up or down by the last result on this replica; unknown before the first",
  }),
  lastSuccessAt: field(Schema.NullOr(Schema.String), "When it last succeeded, ISO 8601; null before"),
  lastFailureAt: field(Schema.NullOr(Schema.String), "When it last failed, ISO 8601; null before"),
  lastFailure: field(Schema.NullOr(Schema.String), "Why it last failed; null before"),
  outbox: field(
    Schema.Struct({
      pending: Schema.Int.annotate({
        description: "Number of uploads stored here that this backend does not have yet",
      }),
      failing: Schema.Int.annotate({ description: "Number of these with at least three attempts" }),
      oldestAt: field(
        Schema.NullOr(Schema.String),
        "When the oldest of these was uploaded, ISO 8601; null without any",
      ),
      lastError: Schema.NullOr(Schema.String).annotate({
        description: "Error of the latest failed attempt; null without one",
      }),
    }),
    "Uploads that the backend does not have yet",
  ),
  note: Schema.NullOr(Schema.String).annotate({ description: "Note for operators; null without one" }),
}).annotate({ identifier: "IpfsBackendReport", description: "State of one backend" })
export type IpfsBackendReport = typeof IpfsBackendReport.Type

/** State of IPFS storage: where uploads go, and what is not delivered yet. */
export const IpfsReport = Schema.Struct({
  backend: Schema.String.annotate({
    description: "Name of the primary backend: the first of the configured order",
  }),
  backends: field(Schema.Array(IpfsBackendReport), "The backends in the configured order"),
  outboxPending: Schema.Int.annotate({
    description: "Number of uploads that a configured backend does not have yet",
  }),
  lastUploadAt: field(Schema.NullOr(Schema.String), "Time of the latest upload, ISO 8601; null before the first"),
}).annotate({ identifier: "IpfsHealth", description: "State of IPFS storage" })
export type IpfsReport = typeof IpfsReport.Type
