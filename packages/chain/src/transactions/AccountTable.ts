import type { AddressList, DecodableTransaction } from "./RawTransaction.ts"

const NONE: ReadonlyArray<string> = []

/** Received data may be anything. */
export const isAddressList = (list: AddressList | null | undefined): list is AddressList =>
  typeof list === "object" && list !== null && typeof list.at === "function" && Number.isInteger(list.length)

/**
 * Static accounts, then those of lookup tables, by index. Throws where one of them is no list.
 */
export class AccountTable {
  readonly #fixed: AddressList
  readonly #writable: AddressList
  readonly #readonly: AddressList
  readonly #writableFrom: number
  readonly #readonlyFrom: number

  constructor({ meta: { loadedAddresses }, transaction }: DecodableTransaction) {
    this.#fixed = transaction.message.accountKeys
    this.#writable = loadedAddresses ? loadedAddresses.writable : NONE
    this.#readonly = loadedAddresses ? loadedAddresses.readonly : NONE
    if (![this.#fixed, this.#writable, this.#readonly].every(isAddressList)) throw new TypeError("no list of accounts")
    this.#writableFrom = this.#fixed.length
    this.#readonlyFrom = this.#writableFrom + this.#writable.length
  }

  get length(): number {
    return this.#readonlyFrom + this.#readonly.length
  }

  at(index: number): string | undefined {
    if (!Number.isInteger(index) || index < 0) return undefined
    if (index < this.#writableFrom) return this.#fixed.at(index)
    if (index < this.#readonlyFrom) return this.#writable.at(index - this.#writableFrom)
    return this.#readonly.at(index - this.#readonlyFrom)
  }

  /** Index of an address, or -1. */
  indexOf(address: string): number {
    const fixed = this.#fixed.indexOf(address)
    if (fixed >= 0) return fixed
    const writable = this.#writable.indexOf(address)
    if (writable >= 0) return this.#writableFrom + writable
    const readonly = this.#readonly.indexOf(address)
    return readonly < 0 ? -1 : this.#readonlyFrom + readonly
  }
}
