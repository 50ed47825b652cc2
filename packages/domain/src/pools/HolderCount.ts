import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** Whether holders are all that there are. */
export const isWhole = field(
  Schema.Boolean,
  "Whether all token accounts of the mint were read. false: there are more than are read at once, or they could not be read, so there are at least these holders",
)

const count = field(
  Schema.Int,
  "Wallets that hold the token, without the vaults of the bonding curve and of the pool it migrated to; where isWhole is false, those that were read, and there can be more",
)

/** How many wallets hold a token. */
export const HolderCount = Schema.Struct({ count, isWhole }).annotate({
  identifier: "HolderCount",
  description: "How many wallets hold a token",
})

/** How many wallets held a token when it was last looked. */
export const LastHolderCount = Schema.Struct({
  count,
  isWhole,
  top10Share: field(
    Schema.NullOr(Schema.Finite),
    "What the ten wallets that hold most held together, as a fraction of the supply then, from 0 to 1, rounded down to millionths; null where the largest were not known",
  ),
  countedAt: field(Timestamp, "When they were read from the chain"),
}).annotate({
  identifier: "LastHolderCount",
  description: "How many wallets held a token when its holders were last read from the chain",
})
export type LastHolderCount = typeof LastHolderCount.Type
