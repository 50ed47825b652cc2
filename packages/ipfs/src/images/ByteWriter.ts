/**
 * What is kept of `source`, written one after the other. It never becomes longer than the source, so it is allocated once
 * and every byte is copied once, however many pieces there are.
 */
export class ByteWriter {
  readonly #source: Uint8Array
  readonly #kept: Uint8Array
  #length = 0
  /** A stretch of the source that is kept and not copied yet: pieces that lie side by side are copied together. */
  #start = 0
  #end = 0

  constructor(source: Uint8Array) {
    this.#source = source
    this.#kept = new Uint8Array(source.length)
  }

  /** Bytes kept so far: where the next one goes. */
  get length(): number {
    return this.#length + this.#end - this.#start
  }

  /** Keeps the source from `start` up to, not including, `end`. */
  keep(start: number, end: number): void {
    if (start !== this.#end) {
      this.#copy()
      this.#start = start
    }
    this.#end = end
  }

  /** Puts bytes in the place of longer ones that were not kept. */
  write(bytes: ArrayLike<number>): void {
    this.#copy()
    this.#kept.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Writes over what is kept already. */
  amend(at: number, bytes: ArrayLike<number>): void {
    this.#copy()
    this.#kept.set(bytes, at)
  }

  get bytes(): Uint8Array {
    this.#copy()
    return this.#kept.subarray(0, this.#length)
  }

  #copy(): void {
    if (this.#start === this.#end) return
    this.#kept.set(this.#source.subarray(this.#start, this.#end), this.#length)
    this.#length += this.#end - this.#start
    this.#start = this.#end
  }
}
