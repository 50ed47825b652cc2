import type { DecodableTransaction, RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { changesOf } from "../modules/DatabaseChanges.ts"

/**
 * Whether the log's version of a transaction derives the same rows as the chain's: sources write the same transaction in different bytes.
 * What cannot be decoded equals only what cannot either. The place in the block is not compared, because sources may count differently;
 * nor is a block time that the chain's version lacks.
 */
export const hasSameFacts = (inLog: DecodableTransaction, onChain: RawTransaction): boolean =>
  factsOf(inLog) === factsOf({ ...onChain, blockTime: onChain.blockTime ?? inLog.blockTime })

/** Without a place of their own, both get the same: that of their signature. */
const factsOf = (transaction: DecodableTransaction): string => {
  const { events, trades, undecodable } = changesOf([{ ...transaction, indexWithinBlock: undefined }])
  return JSON.stringify([trades, events, undecodable.length], (_, value: unknown) =>
    typeof value === "bigint" ? String(value) : value,
  )
}
