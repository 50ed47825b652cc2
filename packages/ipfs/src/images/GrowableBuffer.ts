const BYTES_FIRST = 64 * 1024

/**
 * Bytes that come in pieces, copied to one place: a body in pieces of one byte each takes no more memory than another. The place
 * doubles when it is full; the part of it that was not written yet takes no memory of the machine.
 */
export class GrowableBuffer {
  #place = Buffer.allocUnsafeSlow(BYTES_FIRST)
  #length = 0

  append(piece: Uint8Array): void {
    const length = this.#length + piece.length
    if (length > this.#place.length) {
      const place = Buffer.allocUnsafeSlow(Math.max(length, this.#place.length * 2))
      place.set(this.bytes)
      this.#place = place
    }
    this.#place.set(piece, this.#length)
    this.#length = length
  }

  get bytes(): Uint8Array {
    return this.#place.subarray(0, this.#length)
  }
}
