import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import type { TableLookup, TransactionMessage } from "../submissions/TransactionMessage.ts"

/** Where the addresses of a lookup table begin, behind its header. */
const TABLE_HEADER_BYTES = 56
const ADDRESS_BYTES = 32

/** The accounts of a transaction. */
export interface TransactionAccounts {
  /** Those of its message, then those of its lookup tables, as instructions number them. */
  readonly all: ReadonlyArray<string>
  /** Those that it may change: no others can differ after it. */
  readonly writable: ReadonlyArray<string>
  readonly loaded: { readonly writable: ReadonlyArray<string>; readonly readonly: ReadonlyArray<string> }
}

/** Whether a transaction may change the account at this index of its message. */
export const isWritable = (
  { header, staticAccounts }: Pick<TransactionMessage, "header" | "staticAccounts">,
  index: number,
): boolean =>
  index < header.numSignerAccounts
    ? index < header.numSignerAccounts - header.numReadonlySignerAccounts
    : index < staticAccounts.length - header.numReadonlyNonSignerAccounts

/** `dataOf` gives the data of an account, such as a lookup table. */
export const transactionAccounts = (
  message: TransactionMessage,
  dataOf: (address: string) => Uint8Array | undefined,
): TransactionAccounts => {
  const { lookups, staticAccounts } = message
  const lookedUp = (indexesOf: (lookup: TableLookup) => ReadonlyArray<number>) =>
    lookups.flatMap((lookup) => {
      const table = dataOf(lookup.lookupTableAddress)
      return indexesOf(lookup).flatMap((index) => {
        const start = TABLE_HEADER_BYTES + index * ADDRESS_BYTES
        const address = table?.subarray(start, start + ADDRESS_BYTES)
        return address?.length === ADDRESS_BYTES ? [encodeBase58(address)] : []
      })
    })
  const loaded = {
    writable: lookedUp(({ writableIndexes }) => writableIndexes),
    readonly: lookedUp(({ readonlyIndexes }) => readonlyIndexes),
  }
  return {
    all: [...staticAccounts, ...loaded.writable, ...loaded.readonly],
    writable: [...staticAccounts.filter((_, index) => isWritable(message, index)), ...loaded.writable],
    loaded,
  }
}
