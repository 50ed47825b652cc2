import type { DecodableTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { Effect } from "effect"
import type { BodyElement } from "../inbox/ReadBody.ts"
import type { LogEntry, Segment } from "../inbox/IngestLog.ts"
import { changesOf, type DatabaseChanges, joinedChanges } from "../modules/DatabaseChanges.ts"
import type { SlotRange } from "../sources/SlotRanges.ts"

/** Decoding blocks the event loop: this many take some two milliseconds. */
const SLICE_TRANSACTIONS = 128

/** Transactions of a batch, in the order of the log: the segment that each is in, and its place in there. */
interface Places {
  readonly segments: ReadonlyArray<Segment>
  readonly positions: ReadonlyArray<number>
  readonly elements: ReadonlyArray<BodyElement>
}

/** Segments of the log with what they change, ready to be written. */
export class PreparedBatch {
  readonly offsets: ReadonlyArray<bigint>
  readonly lastSlot: bigint
  /** Whether the log had nothing after it when it was read. */
  readonly isNewest: boolean
  readonly changes: DatabaseChanges
  readonly #places: Places

  private constructor(
    offsets: ReadonlyArray<bigint>,
    lastSlot: bigint,
    isNewest: boolean,
    places: Places,
    changes: DatabaseChanges = decoded(places.elements),
  ) {
    this.offsets = offsets
    this.lastSlot = lastSlot
    this.isNewest = isNewest
    this.#places = places
    this.changes = changes
  }

  /** Of the last segment. */
  get logOffset(): bigint {
    return this.offsets.at(-1)!
  }

  /** How many there are. */
  get transactions(): number {
    return this.#places.elements.length
  }

  /** A transaction by its index. */
  entry(index: number): LogEntry {
    const { firstSlot, logOffset } = this.#places.segments[index]!
    const { key } = this.#places.elements[index]!
    // It had a key when it was received; without one it cannot be decoded either, and is dead-lettered.
    const { signature, slot } = typeof key === "string" ? { signature: "", slot: Number(firstSlot) } : key
    return { logOffset, position: this.#places.positions[index]!, slot: BigInt(slot), signature }
  }

  /** Those in these slots. */
  entriesIn({ fromSlot, toSlot }: SlotRange): ReadonlyArray<LogEntry> {
    return this.#places.elements
      .map((_, index) => this.entry(index))
      .filter(({ slot }) => fromSlot <= slot && slot <= toSlot)
  }

  /** Everything but these. */
  without(dropped: ReadonlyArray<Pick<LogEntry, "logOffset" | "position">>): PreparedBatch {
    if (dropped.length === 0) return this
    const { elements, positions, segments } = this.#places
    const gone = new Set(dropped.map(({ logOffset, position }) => `${logOffset} ${position}`))
    const isKept = segments.map(({ logOffset }, index) => !gone.has(`${logOffset} ${positions[index]}`))
    const keptOf = <A>(all: ReadonlyArray<A>) => all.filter((_, index) => isKept[index])
    const places = { segments: keptOf(segments), positions: keptOf(positions), elements: keptOf(elements) }
    return new PreparedBatch(this.offsets, this.lastSlot, this.isNewest, places)
  }

  /** Each transaction as a batch of its own. */
  *each(): Generator<PreparedBatch> {
    const { elements, positions, segments } = this.#places
    for (const [index, element] of elements.entries()) {
      const places = { segments: [segments[index]!], positions: [positions[index]!], elements: [element] }
      yield new PreparedBatch(this.offsets, this.lastSlot, this.isNewest, places)
    }
  }

  /** Decodes segments in slices, yielding in between: the batch being written waits for every answer. */
  static readonly of = Effect.fnUntraced(function* (read: ReadonlyArray<Segment>) {
    const segments: Array<Segment> = []
    const positions: Array<number> = []
    const elements: Array<BodyElement> = []
    for (const segment of read) {
      for (const position of segment.positions) {
        segments.push(segment)
        positions.push(position)
        elements.push(segment.elements[position] ?? NO_ELEMENT)
      }
    }
    const lastSlot = read.reduce((last, segment) => (segment.lastSlot > last ? segment.lastSlot : last), 0n)
    const offsets = read.map(({ logOffset }) => logOffset)
    const parts: Array<DatabaseChanges> = []
    for (let at = 0; at < elements.length; at += SLICE_TRANSACTIONS) {
      parts.push(decoded(elements.slice(at, at + SLICE_TRANSACTIONS), at))
      yield* Effect.yieldNow
    }
    const isNewest = read.at(-1)?.isNewest === true
    return new PreparedBatch(offsets, lastSlot, isNewest, { segments, positions, elements }, joinedChanges(parts))
  })
}

/** What is not there any more is dead-lettered, like what cannot be decoded. */
const NO_ELEMENT: BodyElement = { key: "no transaction", value: { transaction: { message: {} } } }

const decoded = (elements: ReadonlyArray<BodyElement>, from = 0): DatabaseChanges =>
  changesOf(
    elements.map(({ value }) => value as DecodableTransaction),
    from,
  )
