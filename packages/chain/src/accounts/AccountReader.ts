import { encodeBase58 } from "@launch-registry/domain/solana/Base58"

/** Reads fields of an account at fixed offsets, little-endian as Solana programs write them. */
export class AccountReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Whether the account is exactly this long and starts with one of these discriminators (hex). */
  is(length: number, discriminators: ReadonlyArray<string>): boolean {
    return (
      this.#bytes.length === length && discriminators.includes(Buffer.from(this.#bytes.subarray(0, 8)).toString("hex"))
    )
  }

  u8(at: number): number {
    return this.#view.getUint8(at)
  }

  u16(at: number): number {
    return this.#view.getUint16(at, true)
  }

  u32(at: number): number {
    return this.#view.getUint32(at, true)
  }

  u64(at: number): bigint {
    return this.#view.getBigUint64(at, true)
  }

  u128(at: number): bigint {
    return this.u64(at) | (this.u64(at + 8) << 64n)
  }

  u256(at: number): bigint {
    return this.u128(at) | (this.u128(at + 16) << 128n)
  }

  address(at: number): string {
    return encodeBase58(this.#bytes.subarray(at, at + 32))
  }

  /** UTF-8 text of `length` bytes, cut at what lies within the account. */
  text(at: number, length: number): string {
    return new TextDecoder().decode(this.#bytes.subarray(at, at + length))
  }

  /** `count` strings one after the other, each after its u32 length; `undefined` when they do not lie within the account. */
  texts(at: number, count: number): ReadonlyArray<string> | undefined {
    const texts: Array<string> = []
    for (let offset = at; texts.length < count;) {
      if (offset + 4 > this.#bytes.length) return undefined
      const length = this.u32(offset)
      if (offset + 4 + length > this.#bytes.length) return undefined
      texts.push(this.text(offset + 4, length))
      offset += 4 + length
    }
    return texts
  }
}
