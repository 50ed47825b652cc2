/** Bytes that are remembered, and those of the longest answer among them. */
const [BYTES_MAX, ANSWER_BYTES_MAX] = [4 * 1_024 * 1_024, 256 * 1_024]

/** Answers that were compressed, by their ETags, which are digests of what is answered: those that were last asked for. */
export class CompressedAnswers {
  readonly #answers = new Map<string, Uint8Array>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get(key: string): Uint8Array | undefined {
    const bytes = this.#answers.get(key)
    if (bytes === undefined) return undefined
    this.#answers.delete(key)
    this.#answers.set(key, bytes)
    return bytes
  }

  add(key: string, compressed: Uint8Array): void {
    if (compressed.byteLength > ANSWER_BYTES_MAX || this.#answers.has(key)) return
    // A copy: what zlib returns is a view of a larger buffer.
    this.#answers.set(key, new Uint8Array(compressed))
    this.#size += compressed.byteLength
    for (const [oldest, bytes] of this.#answers) {
      if (this.#size <= BYTES_MAX) return
      this.#answers.delete(oldest)
      this.#size -= bytes.byteLength
    }
  }
}
