/**
 * Compares bytes that arrive piece by piece with parts that are at hand, keeping nothing: it ends at the first byte that
 * differs or is too many.
 */
export class ByteComparison {
  readonly #parts: Iterator<Uint8Array>
  #part: Uint8Array = new Uint8Array()
  #at = 0
  #isEqual = true

  constructor(parts: Iterable<Uint8Array>) {
    this.#parts = parts[Symbol.iterator]()
  }

  /** Whether nothing has differed so far, with this piece. */
  take(piece: Uint8Array): boolean {
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

  /** Whether what came is all of it and nothing else. */
  isWhole(): boolean {
    return this.#isEqual && !this.#hasMore()
  }

  /** Moves on to the next part that is not empty. */
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
