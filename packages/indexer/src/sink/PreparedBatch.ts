import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { Effect } from "effect"
import type { Segment } from "../inbox/IngestLog.ts"
import { elementsOf, keyOf } from "../inbox/ReadBody.ts"
import { decodeSegment } from "../inbox/Segment.ts"
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
    segments: ReadonlyArray<Segment>,
    entries: ReadonlyArray<LogEntry>,
    transactions: ReadonlyArray<RawTransaction>,
  ) {
    this.entries = entries
    this.transactions = transactions
    this.offsets = segments.map(({ logOffset }) => logOffset)
    this.lastSlot = segments.reduce((last, { lastSlot }) => (lastSlot > last ? lastSlot : last), 0n)
    this.changes = changesOf({ transactions, cursor: this.logOffset })
  }

  /** Of the last segment. */
  get logOffset(): bigint {
    return this.offsets.at(-1)!
  }

  /** Everything but these. */
  without(dropped: ReadonlyArray<Pick<LogEntry, "logOffset" | "position">>): {
    readonly entries: ReadonlyArray<LogEntry>
    readonly transactions: ReadonlyArray<RawTransaction>
  } {
    const gone = new Set(dropped.map(({ logOffset, position }) => `${logOffset} ${position}`))
    const kept = this.entries.map(({ logOffset, position }) => !gone.has(`${logOffset} ${position}`))
    return {
      entries: this.entries.filter((_, index) => kept[index]),
      transactions: this.transactions.filter((_, index) => kept[index]),
    }
  }

  /** Reads and decodes segments. */
  static readonly of = (segments: ReadonlyArray<Segment>): Effect.Effect<PreparedBatch> =>
    Effect.promise(async () => {
      const entries: Array<LogEntry> = []
      const transactions: Array<RawTransaction> = []
      for (const { bytes, logOffset, positions } of segments) {
        const elements = (await decodeSegment(bytes)).flatMap((body) => elementsOf(parsed(body)))
        for (const position of positions) {
          const element = elements[position] as RawTransaction
          const { signature, slot } = keyOf(element) as { readonly signature: string; readonly slot: number }
          entries.push({ logOffset, position, slot: BigInt(slot), signature })
          transactions.push(element)
        }
      }
      return new PreparedBatch(segments, entries, transactions)
    })
}

/** Bodies that are no JSON have no positions in the log; they still lie between those that are. */
const parsed = (body: string): unknown => {
  try {
    return JSON.parse(body)
  } catch {
    return []
  }
}
