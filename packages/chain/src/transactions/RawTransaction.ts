/** An instruction as JSON-RPC and raw webhooks write it. */
export interface RawInstruction {
  readonly programIdIndex: number
  readonly accounts: ReadonlyArray<number>
  /** Base58. */
  readonly data: string
  /** 1 for an instruction of the transaction, one more for each call below it. */
  readonly stackHeight?: number | null | undefined
}

/** What a token account holds after a transaction; the account by its index in the transaction. */
export interface RawTokenBalance {
  readonly accountIndex: number
  readonly mint: string
  /** Smallest units. */
  readonly uiTokenAmount: { readonly amount: string }
}

/** What a transaction of version 0 names of an address lookup table, by index there. */
export interface AddressTableLookup {
  readonly writableIndexes: ReadonlyArray<number>
  readonly readonlyIndexes: ReadonlyArray<number>
}

/** A landed transaction: `getTransaction` with encoding `json`, which raw webhooks send as well. */
export interface RawTransaction {
  readonly slot: number
  readonly blockTime: number | null
  readonly indexWithinBlock?: number
  readonly meta: {
    readonly err: unknown
    readonly innerInstructions?: ReadonlyArray<{
      readonly index: number
      readonly instructions: ReadonlyArray<RawInstruction>
    }> | null
    readonly postTokenBalances?: ReadonlyArray<RawTokenBalance> | null
    readonly loadedAddresses?: {
      readonly writable: ReadonlyArray<string>
      readonly readonly: ReadonlyArray<string>
    } | null
    /** Cut off by validators at 10 KB. */
    readonly logMessages?: ReadonlyArray<string> | null
  }
  readonly transaction: {
    readonly message: {
      readonly accountKeys: ReadonlyArray<string>
      readonly instructions: ReadonlyArray<RawInstruction>
      readonly addressTableLookups?: ReadonlyArray<AddressTableLookup> | null
    }
    readonly signatures: ReadonlyArray<string>
  }
}

/** The part of a transaction that decoding reads. */
export type DecodableTransaction = Omit<RawTransaction, "indexWithinBlock"> & {
  readonly indexWithinBlock?: number | undefined
}
