import type { RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { changesOf } from "../modules/DatabaseChanges.ts"

/**
 * Whether what the log holds of a transaction puts the same into the tables as what the chain has of it: bytes say nothing, as
 * sources write the same transaction differently. What cannot be decoded is only the same as what cannot either. A place in the
 * block that one of them does not tell is not compared, nor is a time that the chain's does not tell.
 */
export const hasSameFacts = (inLog: RawTransaction, onChain: RawTransaction): boolean => {
  const isPlaced = inLog.indexWithinBlock !== undefined && onChain.indexWithinBlock !== undefined
  const blockTime = onChain.blockTime ?? inLog.blockTime
  return factsOf(inLog, isPlaced) === factsOf({ ...onChain, blockTime }, isPlaced)
}

/** Both get the same place when they are decoded without one: the signature's. */
const factsOf = (transaction: RawTransaction, isPlaced: boolean): string => {
  const { indexWithinBlock: _, ...placeless } = transaction
  const { events, trades, undecodable } = changesOf({ transactions: [isPlaced ? transaction : placeless], cursor: 0n })
  return JSON.stringify([trades, events, undecodable.length], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  )
}
