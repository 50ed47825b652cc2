import type { DagProfile } from "./DagTree.ts"

const NOTHING = new Uint8Array(0)

/**
 * Cuts a file that comes in pieces of any size into leaves. A leaf that lies within one piece is a view of it; only leaves of
 * several pieces are copied, so pieces must not change once they are here.
 */
export class LeafCutter {
  readonly #chunkBytes: number
  /** What there is of the next leaf: a view of a piece or of `#joined`. */
  #held: Uint8Array = NOTHING
  /** The memory of the next leaf, once it is of several pieces. */
  #joined: Uint8Array | undefined
  #hasCut = false

  constructor({ chunkBytes }: DagProfile) {
    this.#chunkBytes = chunkBytes
  }

  /** The leaves which this piece completes. */
  push(piece: Uint8Array): ReadonlyArray<Uint8Array> {
    const leaves: Array<Uint8Array> = []
    for (let at = 0; at < piece.length;) {
      const part = piece.subarray(at, at + this.#chunkBytes - this.#held.length)
      at += part.length
      this.#hold(part)
      if (this.#held.length === this.#chunkBytes) leaves.push(this.#cut())
    }
    return leaves
  }

  /** The last leaf, if there is a rest, or if the file is empty: that is one empty leaf. */
  end(): ReadonlyArray<Uint8Array> {
    return this.#held.length > 0 || !this.#hasCut ? [this.#cut()] : []
  }

  #hold(part: Uint8Array): void {
    const length = this.#held.length
    if (length === 0) {
      this.#held = part
      return
    }
    if (this.#joined === undefined) {
      this.#joined = new Uint8Array(this.#chunkBytes)
      this.#joined.set(this.#held)
    }
    this.#joined.set(part, length)
    this.#held = this.#joined.subarray(0, length + part.length)
  }

  #cut(): Uint8Array {
    const leaf = this.#held
    this.#held = NOTHING
    this.#joined = undefined
    this.#hasCut = true
    return leaf
  }
}
