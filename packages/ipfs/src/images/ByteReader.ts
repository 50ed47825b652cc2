/** Numbers and text within bytes. Reads beyond the end give zeros: callers check the length. */
export class ByteReader {
  readonly bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  get length(): number {
    return this.bytes.length
  }

  u8(at: number): number {
    return this.bytes[at] ?? 0
  }

  u16(at: number, isLittleEndian = false): number {
    return isLittleEndian ? this.u8(at) | (this.u8(at + 1) << 8) : (this.u8(at) << 8) | this.u8(at + 1)
  }

  u24LittleEndian(at: number): number {
    return this.u16(at, true) | (this.u8(at + 2) << 16)
  }

  u32(at: number, isLittleEndian = false): number {
    const [high, low] = isLittleEndian ? [at + 2, at] : [at, at + 2]
    return this.u16(high, isLittleEndian) * 65_536 + this.u16(low, isLittleEndian)
  }

  /** Whether this Latin-1 text is at `at`. */
  hasText(at: number, text: string): boolean {
    for (let index = 0; index < text.length; index++) {
      if (this.bytes[at + index] !== text.charCodeAt(index)) return false
    }
    return true
  }

  /** Four Latin-1 characters: the name of a chunk. */
  name(at: number): string {
    return String.fromCharCode(this.u8(at), this.u8(at + 1), this.u8(at + 2), this.u8(at + 3))
  }
}

/** The bytes of Latin-1 text. */
export const latin1 = (text: string): Uint8Array => Uint8Array.from(text, (character) => character.charCodeAt(0))
