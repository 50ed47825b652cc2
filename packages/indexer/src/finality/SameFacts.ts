import type { DecodableTransaction, RawTransaction } from "@launch-registry/chain/transactions/RawTransaction"
import { TRANSACTION_INDEX_MAX } from "@launch-registry/domain/solana/Ordinal"
import { changesOf } from "../modules/DatabaseChanges.ts"

/**
 * Whether the log's version of a transaction derives the same rows as the chain's: sources write the same transaction
 * in different bytes. Undecodable transactions equal only each other. The place in the block is not compared, because
 * sources may count differently, but it has to be one; nor is a block time that the chain's version lacks.
 */
export const hasSameFacts = (inLog: DecodableTransaction, onChain: RawTransaction): boolean =>
  isPlace(inLog.indexWithinBlock) &&
  factsOf(inLog) === factsOf({ ...onChain, blockTime: onChain.blockTime ?? inLog.blockTime })

const isPlace = (index: number | undefined): boolean =>
  index === undefined || (Number.isInteger(index) && index >= 0 && index <= TRANSACTION_INDEX_MAX)

/** Without a position in the block, both get the same one, derived from the signature. */
const factsOf = (transaction: DecodableTransaction): string => {
  const { events, trades, undecodable } = changesOf([{ ...transaction, indexWithinBlock: undefined }])
  return JSON.stringify([trades, events, undecodable.length], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  )
}
