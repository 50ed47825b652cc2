import { randomFillSync } from "node:crypto"

/**
 * UUIDs of version 7 (RFC 9562), monotonic within a process: within one millisecond the random part is incremented by a
 * small random step.
 */
export class UuidV7 {
  readonly #random = new Uint8Array(10)
  /** Before any instant, so that the first id is random. */
  #millis = -1

  /** A UUID for a Unix time in milliseconds. */
  next(millis: number): string {
    if (millis > this.#millis) {
      this.#millis = millis
      randomFillSync(this.#random)
      // Leaves room to increment within the millisecond.
      this.#random[0]! &= 0x07
    } else {
      this.#increment()
    }
    const random = this.#random
    const bytes = new Uint8Array(16)
    for (let at = 0; at < 6; at++) bytes[at] = Math.floor(this.#millis / 2 ** (8 * (5 - at))) & 0xff
    bytes[6] = 0x70 | (random[0]! & 0x0f)
    bytes[7] = random[1]!
    bytes[8] = 0x80 | (random[2]! & 0x3f)
    bytes.set(random.subarray(3), 9)
    return textOf(bytes)
  }

  #increment(): void {
    // Byte 2 has six bits and byte 0 four; version and variant take the rest.
    const limits = [0x10, 0x100, 0x40, 0x100, 0x100, 0x100, 0x100, 0x100, 0x100, 0x100]
    let carry = 1 + (randomFillSync(new Uint8Array(1))[0]! & 0x7f)
    this.#random[2]! &= 0x3f
    for (let at = 9; at >= 0 && carry > 0; at--) {
      const sum = this.#random[at]! + carry
      this.#random[at] = sum % limits[at]!
      carry = Math.floor(sum / limits[at]!)
    }
    if (carry > 0) this.#millis++
  }
}

const textOf = (bytes: Uint8Array): string => {
  const hex = Buffer.from(bytes).toString("hex")
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
