import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"

const slot = Schema.String.annotate({ description: "Slot, as a decimal string" })
const offset = Schema.String.annotate({
  description: "Offset in the log of received transactions, as a decimal string",
})
const said = Schema.NullOr(Schema.JsonObject)

/** Slots from one to another, both included. */
export const SlotRange = Schema.Struct({
  fromSlot: field(slot, "First slot, a decimal string"),
  toSlot: field(slot, "Last slot, included, a decimal string"),
}).annotate({ identifier: "SlotRange", description: "Slots from the first to the last, both included" })

/** Slots that are proven complete and folded. */
export const CoveredSlots = Schema.Struct({
  ...SlotRange.fields,
  provenBy: field(
    Schema.String,
    "rpc: the listing of an RPC endpoint. helius: Helius' history, which proves the contents as well",
  ),
  provenAt: field(Timestamp, "When it was proven"),
}).annotate({ identifier: "CoveredSlots", description: "Slots that are proven complete and folded" })

/** How far the index is, and how much of it is proven to be complete. Lists end with the latest and are cut at the front. */
export const IndexerReport = Schema.Struct({
  leader: Schema.NullOr(
    Schema.Struct({
      holder: field(Schema.String, "Name of the process"),
      expiresAt: field(Timestamp, "When its lease expires unless it is renewed"),
    }),
  ).annotate({ description: "Process that folds the log into tables; null when none does" }),
  moduleHash: field(
    Schema.NullOr(Schema.String),
    "Hash of the modules that the tables were made with; null before the first",
  ),
  slot: Schema.NullOr(slot).annotate({ description: "Highest slot that is folded; null before the first" }),
  logOffset: Schema.NullOr(offset).annotate({
    description: "Offset up to which the log is folded; null before the first",
  }),
  inbox: field(
    Schema.Struct({
      pendingSegments: Schema.Int.annotate({ description: "Segments that are not folded yet; counted up to 100,000" }),
      nextOffset: field(offset, "Offset that the next transaction gets, a decimal string"),
    }),
    "Log of received transactions",
  ),
  finalizedSlot: field(Schema.NullOr(slot), "Latest finalized slot that the leader saw; null before the first"),
  watermarkSlot: Schema.NullOr(slot).annotate({
    description: "Every slot from the origin to this one is proven complete and folded; null while none is",
  }),
  coverage: field(Schema.Array(CoveredSlots), "Slots that are proven complete, the latest last"),
  gaps: Schema.Array(SlotRange).annotate({
    description: "Slots from the origin to the finalized slot that are not proven, the latest last",
  }),
  poison: Schema.Int.annotate({ description: "Deliveries that could not be read" }),
  deadLetters: Schema.Int.annotate({ description: "Transactions that could not be decoded" }),
  dropped: Schema.Int.annotate({
    description: "Transactions that are not on the finalized chain, or not with these contents",
  }),
  webhook: said.annotate({ description: "State of the webhook as the leader last reported it; null without one" }),
  replay: said.annotate({ description: "Progress of the latest replay; null without one" }),
  reportedAt: Schema.NullOr(Timestamp).annotate({
    description: "When the leader last reported; null before the first report",
  }),
}).annotate({ identifier: "IndexerReport", description: "How far the chain is indexed and proven" })
export type IndexerReport = typeof IndexerReport.Encoded
