import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { type BodyElement, parsedElement } from "../inbox/BodyElement.ts"
import type { Segment } from "../inbox/IngestLog.ts"
import { changesOf, type DatabaseChanges } from "../modules/DatabaseChanges.ts"
import type { LogEntry } from "./InboxStatements.ts"

/** Segments of the log with what they change, ready to be written. */
export class PreparedBatch {
  /** In the order of the log. */
  readonly entries: ReadonlyArray<LogEntry>
  readonly offsets: ReadonlyArray<bigint>
  readonly lastSlot: bigint
  readonly changes: DatabaseChanges
  /** One for each entry. */
  readonly #elements: ReadonlyArray<BodyElement>

  private constructor(
    offsets: ReadonlyArray<bigint>,
    lastSlot: bigint,
    entries: ReadonlyArray<LogEntry>,
    elements: ReadonlyArray<BodyElement>,
  ) {
    this.offsets = offsets
    this.lastSlot = lastSlot
    this.entries = entries
    this.#elements = elements
    this.changes = changesOf({ transactions: transactionsOf(elements), cursor: this.logOffset })
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
      this.#elements.filter((_, index) => isKept[index]),
    )
  }

  /** Each transaction as a batch of its own. */
  *each(): Generator<PreparedBatch> {
    for (const [index, entry] of this.entries.entries())
      yield new PreparedBatch(this.offsets, this.lastSlot, [entry], [this.#elements[index]!])
  }

  /** Decodes segments. */
  static readonly of = (segments: ReadonlyArray<Segment>): PreparedBatch => {
    const entries: Array<LogEntry> = []
    const read: Array<BodyElement> = []
    for (const { elements, firstSlot, logOffset, positions } of segments) {
      for (const position of positions) {
        const element = elements[position] ?? parsedElement(undefined)
        const { key } = element
        // It had one when it was received. What has none by now cannot be decoded either, and is kept apart there.
        const { signature, slot } = typeof key === "string" ? { signature: "", slot: Number(firstSlot) } : key
        entries.push({ logOffset, position, slot: BigInt(slot), signature })
        read.push(element)
      }
    }
    const lastSlot = segments.reduce((last, segment) => (segment.lastSlot > last ? segment.lastSlot : last), 0n)
    return new PreparedBatch(
      segments.map(({ logOffset }) => logOffset),
      lastSlot,
      entries,
      read,
    )
  }
}

const transactionsOf = function* (elements: ReadonlyArray<BodyElement>): Generator<RawTransaction> {
  for (const element of elements) yield element.read() as RawTransaction
}
