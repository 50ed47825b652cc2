import { RecentlyUsed } from "./RecentlyUsed.ts"

/** Bytes that are remembered, and those of the longest answer among them. */
const [BYTES_MAX, ANSWER_BYTES_MAX] = [4 * 1_024 * 1_024, 256 * 1_024]

/** Answers that were compressed, by their ETags, which are digests of what is answered: those that were last asked for. */
export class CompressedAnswers {
  readonly #answers = new RecentlyUsed<Uint8Array>(BYTES_MAX)

  get size(): number {
    return this.#answers.bytes
  }

  get(key: string): Uint8Array | undefined {
    return this.#answers.get(key)
  }

  add(key: string, compressed: Uint8Array): void {
    if (compressed.byteLength > ANSWER_BYTES_MAX) return
    // A copy: what zlib returns is a view of a larger buffer.
    this.#answers.set(key, new Uint8Array(compressed), compressed.byteLength)
  }
}
