import { Schema } from "effect"

/** One backend of the configured order, or one that is not in it any more and never got some uploads. */
export const IpfsBackendReport = Schema.Struct({
  name: Schema.String,
  status: Schema.Literals(["up", "down", "unknown"]).annotate({
    description: "By the last answer to this replica; unknown until it was asked",
  }),
  lastSuccessAt: Schema.NullOr(Schema.String),
  lastFailureAt: Schema.NullOr(Schema.String),
  lastFailure: Schema.NullOr(Schema.String),
  outbox: Schema.Struct({
    pending: Schema.Int.annotate({ description: "Uploads that are kept here and that this backend is still to get" }),
    failing: Schema.Int.annotate({ description: "Of these, uploads that were tried at least three times" }),
    oldestAt: Schema.NullOr(Schema.String),
    lastError: Schema.NullOr(Schema.String).annotate({ description: "Why the last of these that failed did" }),
  }),
  note: Schema.NullOr(Schema.String).annotate({ description: "What an operator should know of it beyond that" }),
}).annotate({ identifier: "IpfsBackendReport" })
export type IpfsBackendReport = typeof IpfsBackendReport.Type

/** State of the IPFS part: where uploads go, and what is still on its way. */
export const IpfsReport = Schema.Struct({
  backend: Schema.String.annotate({ description: "The first of the order: where uploads belong" }),
  backends: Schema.Array(IpfsBackendReport),
  outboxPending: Schema.Int.annotate({ description: "For all backends of the order" }),
  lastUploadAt: Schema.NullOr(Schema.String),
}).annotate({ identifier: "IpfsHealth" })
export type IpfsReport = typeof IpfsReport.Type
