import type { BodyElement, BodyText } from "./BodyElement.ts"
import type { TransactionKey } from "./TransactionKey.ts"

/** Members of a transaction that decoding it takes, by their place in `Parts`. */
export const PART = {
  slot: 0,
  blockTime: 1,
  indexWithinBlock: 2,
  meta: 3,
  err: 4,
  innerInstructions: 5,
  loadedAddresses: 6,
  transaction: 7,
  message: 8,
  signatures: 9,
} as const
export type Part = (typeof PART)[keyof typeof PART]

/** For each part the positions in the body at which it starts and ends; both 0 where there is none. */
export type Parts = ReadonlyArray<number>

export const startOf = (parts: Parts, part: Part): number => parts[2 * part]!
export const endOf = (parts: Parts, part: Part): number => parts[2 * part + 1]!

/** A transaction of which two thirds, as logs and balances, are never parsed. */
export class TransactionElement implements BodyElement {
  readonly key: TransactionKey
  readonly #body: BodyText
  readonly #parts: Parts

  constructor(body: BodyText, key: TransactionKey, parts: Parts) {
    this.#body = body
    this.key = key
    this.#parts = parts
  }

  read(): unknown {
    return {
      slot: this.key.slot,
      blockTime: this.#parsed(PART.blockTime),
      indexWithinBlock: this.#parsed(PART.indexWithinBlock),
      meta: {
        err: this.#parsed(PART.err),
        innerInstructions: this.#parsed(PART.innerInstructions),
        loadedAddresses: this.#parsed(PART.loadedAddresses),
      },
      transaction: { message: this.#parsed(PART.message), signatures: [this.key.signature] },
    }
  }

  #parsed(part: Part): unknown {
    const start = startOf(this.#parts, part)
    return start === 0 ? undefined : this.#body.parse(start, endOf(this.#parts, part))
  }
}
