import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"

const slot = Schema.String.annotate({ description: "Slot, as a decimal string" })
const offset = Schema.String.annotate({
  description: "Offset in the log of received transactions, as a decimal string",
})
const said = Schema.NullOr(Schema.JsonObject)

/** A range of slots, inclusive. */
export const SlotRange = Schema.Struct({
  fromSlot: field(slot, "First slot, a decimal string"),
  toSlot: field(slot, "Last slot, inclusive, a decimal string"),
}).annotate({ identifier: "SlotRange", description: "A range of slots, inclusive" })

/** A range of slots that is proven complete and folded into the tables. */
export const CoveredSlots = Schema.Struct({
  ...SlotRange.fields,
  provenBy: field(
    Schema.String,
    "rpc: the signature listing of an RPC endpoint. helius: the history of Helius, which also proves the contents",
  ),
  provenAt: field(Timestamp, "When it was proven"),
}).annotate({ identifier: "CoveredSlots", description: "A range of slots that is proven complete and indexed" })

/** Proven trades in ClickHouse. */
export const TradeHistory = Schema.Struct({
  sentToSlot: field(Schema.NullOr(slot), "Trades of slots up to this one are in ClickHouse; null before the first"),
  sentAt: field(Schema.NullOr(Timestamp), "When the last ones were sent; null before"),
  keptFromSlot: field(
    Schema.NullOr(slot),
    "PostgreSQL has the trades of slots from this one on; older ones are in ClickHouse alone. Null while it has all",
  ),
  problem: field(
    Schema.NullOr(Schema.String),
    "Why the last attempt to send trades, or to let old ones leave PostgreSQL, failed; null if it did not",
  ),
  failingSince: field(Schema.NullOr(Timestamp), "Since when every attempt has failed; null if the last one did not"),
}).annotate({ identifier: "TradeHistory", description: "Proven trades in ClickHouse" })

/**
 * Progress of the index, and how much of it is proven complete. Lists end with the latest entry and are cut off at the
 * front.
 */
export const IndexerReport = Schema.Struct({
  leader: Schema.NullOr(
    Schema.Struct({
      holder: field(Schema.String, "Name of the process"),
      expiresAt: field(Timestamp, "When its lease expires unless renewed"),
    }),
  ).annotate({ description: "Leader: the process that indexes the log; null without one" }),
  moduleHash: field(Schema.NullOr(Schema.String), "Hash of the modules that built the tables; null before the first"),
  slot: Schema.NullOr(slot).annotate({ description: "Highest indexed slot; null before the first" }),
  logOffset: Schema.NullOr(offset).annotate({
    description: "Offset up to which the log is indexed; null before the first",
  }),
  inbox: field(
    Schema.Struct({
      pendingSegments: Schema.Int.annotate({ description: "Segments that are not indexed yet; counted up to 100,000" }),
      nextOffset: field(offset, "Offset of the next transaction, a decimal string"),
    }),
    "Log of received transactions",
  ),
  finalizedSlot: field(Schema.NullOr(slot), "Latest finalized slot that the leader saw; null before the first"),
  watermarkSlot: Schema.NullOr(slot).annotate({
    description:
      "Every slot from the origin to this one is proven complete and indexed, for every table: the lower one of programWatermarkSlot and poolsWatermarkSlot. Null while none is",
  }),
  programWatermarkSlot: Schema.NullOr(slot).annotate({
    description:
      "The same of transactions that call the DBC program: launches, migrations, and trades on curves. Null while none is",
  }),
  poolsWatermarkSlot: Schema.optionalKey(
    Schema.NullOr(slot).annotate({
      description:
        "The same of swaps on migrated pools, whose proofs take turns, as of the last round of them: idle pools are up to six hours behind. Null while it is not known; absent without migrated pools",
    }),
  ),
  unprovenSeconds: Schema.NullOr(Schema.Finite).annotate({
    description:
      "Seconds of the chain that are finalized and not proven complete for the program: its slots from programWatermarkSlot to finalizedSlot, as fast as they follow each other. Null while it is not known, and with INDEXER_SOURCE=off",
  }),
  coverage: field(
    Schema.Array(CoveredSlots),
    "Ranges of slots in which the program's transactions are proven complete, ascending",
  ),
  gaps: Schema.Array(SlotRange).annotate({
    description:
      "Ranges of slots from the origin to the finalized slot in which the program's transactions are not proven yet, ascending",
  }),
  logFromSlot: Schema.optionalKey(
    field(
      slot,
      "The log reaches back to this slot: transactions of earlier ones were deleted after they were proven complete and indexed. Absent while nothing was deleted",
    ),
  ),
  poison: Schema.Int.annotate({
    description: "Number of deliveries that could not be read, or of which a part was missing",
  }),
  deadLetters: Schema.Int.annotate({ description: "Number of dead-lettered transactions, which could not be decoded" }),
  dropped: Schema.Int.annotate({
    description: "Number of transactions that were dropped: not on the finalized chain, or not with these contents",
  }),
  webhook: said.annotate({ description: "State of the webhook in the latest report of the leader; null without one" }),
  replay: said.annotate({
    description:
      "Progress of the latest replay or rebuild: its state (copying, deriving, comparing, done), the transactions folded again, how far it is in the log (logOffset of headOffset), transactionsPerSecond, startedAt, and at that rate endsAt. Null without one",
  }),
  pools: Schema.optionalKey(
    field(
      Schema.JsonObject,
      "Migrated pools, which are proven by their addresses, in the latest report of the leader: followed, due to be compared with the chain and since when the oldest, failing, and what the last round found. Absent before the first",
    ),
  ),
  history: Schema.optionalKey(
    field(TradeHistory, "Proven trades that were sent to ClickHouse. Absent without HISTORY_URL"),
  ),
  reportedAt: Schema.NullOr(Timestamp).annotate({
    description: "When the leader last reported; null before the first report",
  }),
}).annotate({ identifier: "IndexerReport", description: "Progress of the index and of its proof" })
export type IndexerReport = typeof IndexerReport.Encoded
