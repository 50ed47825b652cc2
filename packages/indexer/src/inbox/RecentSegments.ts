import type { BodyElement } from "./ReadBody.ts"

/** Without a read for so long, the leader is another process. */
const READER_MILLIS = 5_000
/** A transaction takes some 7 KB, nearly all of them bytes. */
const TRANSACTIONS_MAX = 6_000

/**
 * A cache of what this process appended and has not read back yet, so that a leader that receives as well need not
 * read, decompress and scan it again. Empty when there is no reader; a miss is read from the log.
 */
export class RecentSegments {
  readonly #segments = new Map<bigint, ReadonlyArray<BodyElement>>()
  #transactions = 0
  #readAt = Number.NEGATIVE_INFINITY
  #server: bigint | undefined

  /** What is cached was appended on this server; another one may have other segments at the same offsets. */
  get server(): bigint | undefined {
    return this.#server
  }

  add(logOffset: bigint, elements: ReadonlyArray<BodyElement>, server: bigint, nowMillis: number): void {
    if (server !== this.#server) for (const offset of this.#segments.keys()) this.forget(offset)
    this.#server = server
    if (nowMillis - this.#readAt > READER_MILLIS || this.#transactions + elements.length > TRANSACTIONS_MAX) return
    this.#segments.set(logOffset, elements)
    this.#transactions += elements.length
  }

  /** The cached segments after `logOffset`; earlier ones are dropped. */
  after(logOffset: bigint, nowMillis: number): ReadonlyMap<bigint, ReadonlyArray<BodyElement>> {
    this.#readAt = nowMillis
    for (const offset of this.#segments.keys()) if (offset <= logOffset) this.forget(offset)
    return new Map(this.#segments)
  }

  /** A segment leaves the cache once it is read; later reads go to the log. */
  forget(logOffset: bigint): void {
    this.#transactions -= this.#segments.get(logOffset)?.length ?? 0
    this.#segments.delete(logOffset)
  }
}
