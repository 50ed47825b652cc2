import {
  type Address,
  type CompiledTransactionMessage,
  type CompiledTransactionMessageWithLifetime,
  getCompiledTransactionMessageDecoder,
  type ReadonlyUint8Array,
} from "@solana/kit"

type Compiled = CompiledTransactionMessage & CompiledTransactionMessageWithLifetime

/** An instruction of a message; program and accounts by their index in the transaction. */
export interface MessageInstruction {
  readonly programAddressIndex: number
  readonly accountIndices: ReadonlyArray<number>
  readonly data: ReadonlyUint8Array
}

/** What a message of version 0 takes from an address lookup table. */
export interface TableLookup {
  readonly lookupTableAddress: Address
  readonly writableIndexes: ReadonlyArray<number>
  readonly readonlyIndexes: ReadonlyArray<number>
}

/** The signed part of a transaction, read alike in all versions. */
export interface TransactionMessage {
  readonly compiled: Compiled
  readonly version: Compiled["version"]
  readonly header: Compiled["header"]
  readonly staticAccounts: ReadonlyArray<Address>
  /** The blockhash, or a nonce. */
  readonly lifetimeToken: string
  readonly instructions: ReadonlyArray<MessageInstruction>
  readonly lookups: ReadonlyArray<TableLookup>
}

const NO_DATA: ReadonlyUint8Array = new Uint8Array(0)

const instructionsOf = (compiled: Compiled): ReadonlyArray<MessageInstruction> =>
  compiled.version === 1
    ? compiled.instructionHeaders.map(({ programAccountIndex }, index) => {
        const { instructionAccountIndices, instructionData } = compiled.instructionPayloads[index]!
        return {
          programAddressIndex: programAccountIndex,
          accountIndices: instructionAccountIndices,
          data: instructionData,
        }
      })
    : compiled.instructions.map(({ accountIndices = [], data = NO_DATA, programAddressIndex }) => ({
        programAddressIndex,
        accountIndices,
        data,
      }))

/** Reads the bytes of a message. Throws where they are of none, or of a version that is not known. */
export const readMessage = (bytes: ReadonlyUint8Array): TransactionMessage => {
  const compiled = getCompiledTransactionMessageDecoder().decode(bytes) as Compiled
  const { header, lifetimeToken, staticAccounts, version } = compiled
  return {
    ...{ compiled, version, header, staticAccounts, lifetimeToken, instructions: instructionsOf(compiled) },
    lookups: compiled.version === 0 ? (compiled.addressTableLookups ?? []) : [],
  }
}
