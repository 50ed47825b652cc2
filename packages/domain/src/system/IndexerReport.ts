import { Schema } from "effect"
import { Timestamp } from "../time/Timestamp.ts"

const slot = Schema.String.annotate({ description: "Slot, as a decimal string" })
const offset = Schema.String.annotate({ description: "Place in the log of what was received, as a decimal string" })
const said = Schema.NullOr(Schema.JsonObject)

/** Slots from one to another, both included. */
export const SlotRange = Schema.Struct({ fromSlot: slot, toSlot: slot }).annotate({ identifier: "SlotRange" })

/** Slots that are proven complete and folded. */
export const CoveredSlots = Schema.Struct({
  ...SlotRange.fields,
  provenBy: Schema.String,
  provenAt: Timestamp,
}).annotate({ identifier: "CoveredSlots" })

/** How far the index is, and how much of it is proven to be complete. Lists end with the latest and are cut at the front. */
export const IndexerReport = Schema.Struct({
  leader: Schema.NullOr(Schema.Struct({ holder: Schema.String, expiresAt: Timestamp })).annotate({
    description: "Who folds the log; null when nobody does",
  }),
  moduleHash: Schema.NullOr(Schema.String),
  slot: Schema.NullOr(slot).annotate({ description: "Highest slot that is folded" }),
  logOffset: Schema.NullOr(offset).annotate({ description: "Up to where the log is folded" }),
  inbox: Schema.Struct({
    pendingSegments: Schema.Int.annotate({ description: "Received and not folded yet; counted up to 100,000" }),
    nextOffset: offset,
  }),
  finalizedSlot: Schema.NullOr(slot),
  watermarkSlot: Schema.NullOr(slot).annotate({
    description: "Every slot from the origin to this one is proven complete and folded; null while none is",
  }),
  coverage: Schema.Array(CoveredSlots),
  gaps: Schema.Array(SlotRange).annotate({ description: "From the origin to the finalized slot, what is not proven" }),
  poison: Schema.Int.annotate({ description: "Bodies that nothing could be read from" }),
  deadLetters: Schema.Int.annotate({ description: "Transactions that could not be decoded" }),
  dropped: Schema.Int.annotate({
    description: "Transactions that are not on the finalized chain, or not with these contents",
  }),
  webhook: said.annotate({ description: "What the leader last said of its webhook" }),
  replay: said.annotate({ description: "What a replay last said of itself" }),
  reportedAt: Schema.NullOr(Timestamp).annotate({ description: "When the leader last reported" }),
}).annotate({ identifier: "IndexerReport" })
export type IndexerReport = typeof IndexerReport.Encoded
