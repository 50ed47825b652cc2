import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { FeeParty } from "./PoolFees.ts"
import { LiquidityVestingTerms } from "./Schedules.ts"

const OF_ALL = "as a fraction of the liquidity of the migrated pool, from 0 to 1, to the nearest millionth"
const share = (what: string) => field(Schema.Finite, `${what}, ${OF_ALL}`)
const unknownShare = (what: string) => field(Schema.NullOr(Schema.Finite), `${what}, ${OF_ALL}`)

/** What a configuration does with the liquidity of one party. */
const PlannedLiquidity = Schema.Struct({
  party: field(
    Schema.Literals(["creator", "partner"]),
    "creator: the creator of the pool. partner: feeClaimer of the configuration, the platform",
  ),
  owner: field(Address, "Wallet that receives it, if the migration were now"),
  permanentLockedShare: share("Can never be withdrawn"),
  vestingShare: share("Can be withdrawn as it is released"),
  unlockedShare: share("Can be withdrawn at once"),
  vesting: field(Schema.NullOr(LiquidityVestingTerms), "When it is released; null: nothing vests"),
  vestingEndsAfter: field(
    Schema.NullOr(Schema.Int),
    "Seconds from the migration until all of it is released; null: nothing vests",
  ),
}).annotate({
  identifier: "PlannedLiquidity",
  description: "What the configuration does with the liquidity of one party at the migration",
})
export type PlannedLiquidity = typeof PlannedLiquidity.Type

/** How much of the liquidity of a migrated pool can be taken away. */
export const LiquidityLocks = Schema.Struct({
  basis: field(
    Schema.Literals(["configuration", "pool"]),
    "configuration: what the migration will do. pool: what the migrated pool says; null of it what cannot be read",
  ),
  permanentLockedShare: unknownShare("Can never be withdrawn; null where the pool cannot be read or is empty"),
  vestingShare: unknownShare(
    "Locked now, and released later; null while no position is read and not all is locked for ever",
  ),
  unlockedShare: unknownShare("Can be withdrawn now; null while no position is read and not all is locked for ever"),
  unknownShare: unknownShare(
    "Vesting or unlocked in positions that were not read, of anybody; null where the pool cannot be read or is empty",
  ),
  atMigration: field(
    Schema.NullOr(Schema.Array(PlannedLiquidity)),
    "What the configuration does at the migration, of each party; null where it migrates to a pool that is not known",
  ),
}).annotate({
  identifier: "LiquidityLocks",
  description: "How much of the liquidity of the migrated pool is locked for ever, locked until later, and free",
})
export type LiquidityLocks = typeof LiquidityLocks.Type

const point = (what: string) =>
  field(
    Schema.String,
    `${what}: Unix time in seconds, or a slot where activationType of the migrated pool is 0, a decimal string`,
  )

const LiquidityPosition = Schema.Struct({
  position: field(Address, "Account of the position"),
  nftMint: field(Address, "Mint of its NFT: who holds it can withdraw"),
  owner: field(
    Schema.NullOr(Address),
    "Wallet that holds the NFT; null if it was moved from the account that it was minted to",
  ),
  party: FeeParty,
  permanentLockedShare: share("Can never be withdrawn"),
  vestingShare: share("Locked now, and released later"),
  unlockedShare: share("Can be withdrawn now, also what was released and not withdrawn yet"),
  vesting: field(
    Schema.NullOr(
      Schema.Struct({
        cliffPoint: point("When the first part is released"),
        endPoint: point("When all of it is released"),
        cliffShare: share("Released at the cliff"),
        periodFrequency: field(Schema.String, "Length of a period after it, in the same unit, a decimal string"),
        numberOfPeriods: field(Schema.Int, "Number of periods; 0: all of it is released at the cliff"),
        sharePerPeriod: share("Released after each period"),
      }),
    ),
    "When it is released; null where nothing vests, or where a part vests in an account of its own, which is not read",
  ),
}).annotate({
  identifier: "LiquidityPosition",
  description: "A position in the migrated pool that the migration created",
})
export type LiquidityPosition = typeof LiquidityPosition.Type

/** The same, with who can take it away. */
export const TokenLiquidity = Schema.Struct({
  ...LiquidityLocks.fields,
  positions: field(
    Schema.NullOr(Schema.Array(LiquidityPosition)),
    "Positions of the migration that exist; empty before it, null while it is not indexed and where it went to DAMM v1",
  ),
}).annotate({
  identifier: "TokenLiquidity",
  description: "How much of the liquidity of the migrated pool is locked, vests and is free, and whose it is",
})
export type TokenLiquidity = typeof TokenLiquidity.Type
