import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import type { Segment } from "../inbox/IngestLog.ts"
import { keyOf } from "../inbox/ReadBody.ts"
import { changesOf, type DatabaseChanges } from "../modules/DatabaseChanges.ts"
import type { LogEntry } from "./InboxStatements.ts"

/** Segments of the log with what they change, ready to be written. */
export class PreparedBatch {
  /** In the order of the log; of the same length as `transactions`. */
  readonly entries: ReadonlyArray<LogEntry>
  readonly transactions: ReadonlyArray<RawTransaction>
  readonly offsets: ReadonlyArray<bigint>
  readonly lastSlot: bigint
  readonly changes: DatabaseChanges

  private constructor(
    offsets: ReadonlyArray<bigint>,
    lastSlot: bigint,
    entries: ReadonlyArray<LogEntry>,
    transactions: ReadonlyArray<RawTransaction>,
  ) {
    this.offsets = offsets
    this.lastSlot = lastSlot
    this.entries = entries
    this.transactions = transactions
    this.changes = changesOf({ transactions, cursor: this.logOffset })
  }

  /** Of the last segment. */
  get logOffset(): bigint {
    return this.offsets.at(-1)!
  }

  /** Everything but these. */
  without(dropped: ReadonlyArray<Pick<LogEntry, "logOffset" | "position">>): PreparedBatch {
    const gone = new Set(dropped.map(({ logOffset, position }) => `${logOffset} ${position}`))
    const isKept = this.entries.map(({ logOffset, position }) => !gone.has(`${logOffset} ${position}`))
    return new PreparedBatch(
      this.offsets,
      this.lastSlot,
      this.entries.filter((_, index) => isKept[index]),
      this.transactions.filter((_, index) => isKept[index]),
    )
  }

  /** Each transaction as a batch of its own. */
  *each(): Generator<PreparedBatch> {
    for (const [index, entry] of this.entries.entries())
      yield new PreparedBatch(this.offsets, this.lastSlot, [entry], [this.transactions[index]!])
  }

  /** Decodes segments. */
  static readonly of = (segments: ReadonlyArray<Segment>): PreparedBatch => {
    const entries: Array<LogEntry> = []
    const transactions: Array<RawTransaction> = []
    for (const { elements, firstSlot, logOffset, positions } of segments) {
      for (const position of positions) {
        const element = elements[position]
        const key = keyOf(element)
        // It had one when it was received. What has none by now cannot be decoded either, and is kept apart there.
        const { signature, slot } = typeof key === "string" ? { signature: "", slot: Number(firstSlot) } : key
        entries.push({ logOffset, position, slot: BigInt(slot), signature })
        transactions.push(element as RawTransaction)
      }
    }
    const lastSlot = segments.reduce((last, segment) => (segment.lastSlot > last ? segment.lastSlot : last), 0n)
    return new PreparedBatch(
      segments.map(({ logOffset }) => logOffset),
      lastSlot,
      entries,
      transactions,
    )
  }
}
