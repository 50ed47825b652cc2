/**
 * Compares a stream with expected bytes without buffering it, up to the first difference.
 */
export class ByteComparison {
  readonly #parts: Iterator<Uint8Array>
  #part: Uint8Array = new Uint8Array()
  #at = 0
  #isEqual = true

  constructor(parts: Iterable<Uint8Array>) {
    this.#parts = parts[Symbol.iterator]()
  }

  /** Compares the next piece; `false` once anything differs. */
  push(piece: Uint8Array): boolean {
    let from = 0
    while (this.#isEqual && from < piece.length) {
      if (!this.#hasMore()) this.#isEqual = false
      const length = Math.min(this.#part.length - this.#at, piece.length - from)
      const expected = this.#part.subarray(this.#at, this.#at + length)
      if (Buffer.compare(expected, piece.subarray(from, from + length)) !== 0) this.#isEqual = false
      this.#at += length
      from += length
    }
    return this.#isEqual
  }

  /** Whether the stream so far is exactly the expected bytes. */
  isWhole(): boolean {
    return this.#isEqual && !this.#hasMore()
  }

  /** Advances to the next part that is not empty. */
  #hasMore(): boolean {
    while (this.#at >= this.#part.length) {
      const next = this.#parts.next()
      if (next.done === true) return false
      this.#part = next.value
      this.#at = 0
    }
    return true
  }
}
