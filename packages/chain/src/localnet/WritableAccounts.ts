import { encodeBase58 } from "@launch-registry/solana/Base58"
import { getCompiledTransactionMessageDecoder, type Transaction } from "@solana/kit"

/** Where the addresses of a lookup table begin, behind its header. */
const TABLE_HEADER_BYTES = 56
const ADDRESS_BYTES = 32

interface CompiledMessage {
  readonly header: {
    readonly numSignerAccounts: number
    readonly numReadonlySignerAccounts: number
    readonly numReadonlyNonSignerAccounts: number
  }
  readonly staticAccounts: ReadonlyArray<string>
  readonly addressTableLookups?: ReadonlyArray<{
    readonly lookupTableAddress: string
    readonly writableIndexes: ReadonlyArray<number>
  }>
}

/** Addresses that a transaction may change: no others can differ after it. */
export const writableAccounts = (
  transaction: Transaction,
  dataOf: (address: string) => Uint8Array | undefined,
): ReadonlyArray<string> => {
  const {
    addressTableLookups = [],
    header,
    staticAccounts,
  } = getCompiledTransactionMessageDecoder().decode(transaction.messageBytes) as unknown as CompiledMessage
  const { numReadonlyNonSignerAccounts, numReadonlySignerAccounts, numSignerAccounts } = header
  const isWritable = (index: number) =>
    index < numSignerAccounts
      ? index < numSignerAccounts - numReadonlySignerAccounts
      : index < staticAccounts.length - numReadonlyNonSignerAccounts
  const lookedUp = addressTableLookups.flatMap(({ lookupTableAddress, writableIndexes }) => {
    const table = dataOf(lookupTableAddress)
    return writableIndexes.flatMap((index) => {
      const start = TABLE_HEADER_BYTES + index * ADDRESS_BYTES
      const address = table?.subarray(start, start + ADDRESS_BYTES)
      return address?.length === ADDRESS_BYTES ? [encodeBase58(address)] : []
    })
  })
  return [...staticAccounts.filter((_, index) => isWritable(index)), ...lookedUp]
}
