/**
 * Output made of ranges of `source` and of shorter replacements. It never outgrows the source, so it is allocated once.
 * Adjacent ranges are copied together.
 */
export class ByteWriter {
  readonly #source: Uint8Array
  readonly #output: Uint8Array
  #length = 0
  /** The range that is not copied yet. */
  #start = 0
  #end = 0

  constructor(source: Uint8Array) {
    this.#source = source
    this.#output = new Uint8Array(source.length)
  }

  /** Where the next byte goes. */
  get length(): number {
    return this.#length + this.#end - this.#start
  }

  /** Copies the source from `start` up to, not including, `end`. */
  copy(start: number, end: number): void {
    if (start !== this.#end) {
      this.#flush()
      this.#start = start
    }
    this.#end = end
  }

  /** Writes bytes in place of longer ones of the source. */
  write(bytes: ArrayLike<number>): void {
    this.#flush()
    this.#output.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Overwrites output from `at` on. */
  overwrite(at: number, bytes: ArrayLike<number>): void {
    this.#flush()
    this.#output.set(bytes, at)
  }

  get bytes(): Uint8Array {
    this.#flush()
    return this.#output.subarray(0, this.#length)
  }

  #flush(): void {
    if (this.#start === this.#end) return
    this.#output.set(this.#source.subarray(this.#start, this.#end), this.#length)
    this.#length += this.#end - this.#start
    this.#start = this.#end
  }
}
