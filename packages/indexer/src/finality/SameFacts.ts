import type { DecodableTransaction, RawTransaction } from "@launch-registry/chain/launch/events/RawTransaction"
import { changesOf } from "../modules/DatabaseChanges.ts"

/**
 * Whether what the log holds of a transaction puts the same into the tables as what the chain has of it: bytes say nothing, as
 * sources write the same transaction differently. What cannot be decoded is only the same as what cannot either. The place in the
 * block is not compared: nobody has promised that sources count alike. Nor is a time that the chain's does not tell.
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
