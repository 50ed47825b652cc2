import type { AddressList } from "@launch-registry/chain/transactions/RawTransaction"
import type { BodyText } from "./BodyElement.ts"

/** A small cache of searched addresses as bytes, mostly one program's. */
const sought = new Map<string, Buffer>()
const bytesOf = (address: string): Buffer => {
  const known = sought.get(address)
  if (known !== undefined) return known
  const bytes = Buffer.from(address)
  if (sought.size < 100) sought.set(address, bytes)
  return bytes
}

/** Addresses that are still bytes: of some twenty in a transaction, five are needed. */
export class ScannedKeys implements AddressList {
  readonly #body: BodyText
  /** Start and end of each, without its quotes. */
  readonly #positions: ReadonlyArray<number>

  constructor(body: BodyText, positions: ReadonlyArray<number>) {
    this.#body = body
    this.#positions = positions
  }

  get length(): number {
    return this.#positions.length / 2
  }

  at(index: number): string | undefined {
    const from = this.#positions[2 * index]
    return from === undefined ? undefined : this.#body.text(from, this.#positions[2 * index + 1]!)
  }

  indexOf(address: string): number {
    const { bytes } = this.#body
    const wanted = bytesOf(address)
    for (let key = 0; key < this.#positions.length; key += 2) {
      const from = this.#positions[key]!
      if (this.#positions[key + 1]! - from !== wanted.length) continue
      let same = 0
      while (same < wanted.length && bytes[from + same] === wanted[same]) same++
      if (same === wanted.length) return key / 2
    }
    return -1
  }
}
