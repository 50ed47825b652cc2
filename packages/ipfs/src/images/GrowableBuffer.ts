const BYTES_FIRST = 64 * 1024

/** Bytes that arrive in pieces, copied into one buffer that doubles: a body of one-byte pieces takes no more memory than another. */
export class GrowableBuffer {
  #buffer = Buffer.allocUnsafeSlow(BYTES_FIRST)
  #length = 0

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#buffer.length) {
      const buffer = Buffer.allocUnsafeSlow(Math.max(length, this.#buffer.length * 2))
      buffer.set(this.bytes)
      this.#buffer = buffer
    }
    this.#buffer.set(piece, this.#length)
    this.#length = length
  }

  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }
}
