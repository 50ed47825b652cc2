import type { DecodableTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { Effect } from "effect"
import { type BodyElement, parsedElement } from "../inbox/BodyElement.ts"
import type { Segment } from "../inbox/IngestLog.ts"
import { changesOf, type DatabaseChanges } from "../modules/DatabaseChanges.ts"
import { joinedChanges, type PartOfChanges } from "../modules/JoinedChanges.ts"
import type { LogEntry } from "./InboxStatements.ts"

/** Transactions that are decoded at a time: some two milliseconds, in which nothing else can be answered. */
const SLICE_TRANSACTIONS = 128

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
    changes: DatabaseChanges = decoded(elements, offsets.at(-1)!),
  ) {
    this.offsets = offsets
    this.lastSlot = lastSlot
    this.entries = entries
    this.#elements = elements
    this.changes = changes
  }

  /** Of the last segment. */
  get logOffset(): bigint {
    return this.offsets.at(-1)!
  }

  /** Everything but these. */
  without(dropped: ReadonlyArray<Pick<LogEntry, "logOffset" | "position">>): PreparedBatch {
    if (dropped.length === 0) return this
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

  /** Decodes segments, and lets others have their turn meanwhile: what is being written waits for every answer. */
  static readonly of = Effect.fnUntraced(function* (segments: ReadonlyArray<Segment>) {
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
    const offsets = segments.map(({ logOffset }) => logOffset)
    const parts: Array<PartOfChanges> = []
    for (let at = 0; at < read.length; at += SLICE_TRANSACTIONS) {
      const slice = read.slice(at, at + SLICE_TRANSACTIONS)
      parts.push({ changes: decoded(slice, offsets.at(-1)!), transactions: slice.length })
      yield* Effect.yieldNow
    }
    return new PreparedBatch(offsets, lastSlot, entries, read, joinedChanges(parts))
  })
}

const decoded = (elements: ReadonlyArray<BodyElement>, cursor: bigint): DatabaseChanges =>
  changesOf({ transactions: transactionsOf(elements), cursor })

const transactionsOf = function* (elements: ReadonlyArray<BodyElement>): Generator<DecodableTransaction> {
  for (const element of elements) yield element.read() as DecodableTransaction
}
