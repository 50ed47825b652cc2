import type { BodyElement } from "./BodyElement.ts"

/** A reader that has not asked for so long is somewhere else. */
const READER_MILLIS = 5_000
/** A transaction takes some 7 KB, nearly all of them bytes. */
const TRANSACTIONS_MAX = 6_000

/**
 * What this process appended and has not read back yet: the leader, when it receives as well, need not read, decompress and scan
 * it again. Nothing is kept where nobody reads, and nothing is lost when something is not kept.
 */
export class RecentSegments {
  readonly #segments = new Map<bigint, ReadonlyArray<BodyElement>>()
  #transactions = 0
  #readAt = Number.NEGATIVE_INFINITY

  /** Whether they are kept. */
  add(logOffset: bigint, elements: ReadonlyArray<BodyElement>, nowMillis: number): boolean {
    if (nowMillis - this.#readAt > READER_MILLIS || this.#transactions + elements.length > TRANSACTIONS_MAX)
      return false
    this.#segments.set(logOffset, elements)
    this.#transactions += elements.length
    return true
  }

  /** What is kept of the segments after `logOffset`; what lies before is forgotten. */
  after(logOffset: bigint, nowMillis: number): ReadonlyMap<bigint, ReadonlyArray<BodyElement>> {
    this.#readAt = nowMillis
    for (const offset of this.#segments.keys()) if (offset <= logOffset) this.forget(offset)
    return new Map(this.#segments)
  }

  /** What was read is in the hands of the reader; who wants it again finds it in the log. */
  forget(logOffset: bigint): void {
    this.#transactions -= this.#segments.get(logOffset)?.length ?? 0
    this.#segments.delete(logOffset)
  }
}
