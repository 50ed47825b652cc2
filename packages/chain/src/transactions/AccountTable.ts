import type { DecodableTransaction } from "./RawTransaction.ts"

/** Static accounts, then those of lookup tables, by index. Throws where one of them is no list: received data may be anything. */
export class AccountTable {
  readonly #addresses: ReadonlyArray<string>

  constructor({ meta: { loadedAddresses }, transaction }: DecodableTransaction) {
    const lists = [
      transaction.message.accountKeys,
      ...(loadedAddresses ? [loadedAddresses.writable, loadedAddresses.readonly] : []),
    ]
    if (!lists.every(Array.isArray)) throw new TypeError("no list of accounts")
    this.#addresses = lists.flat()
  }

  get length(): number {
    return this.#addresses.length
  }

  at(index: number): string | undefined {
    return Number.isInteger(index) ? this.#addresses[index] : undefined
  }

  /** Index of an address, or -1. */
  indexOf(address: string): number {
    return this.#addresses.indexOf(address)
  }
}
