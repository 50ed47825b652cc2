import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { describe } from "../http/Describe.ts"
import { Data } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { NotFound } from "../http/NotFound.ts"
import { Address } from "../solana/Address.ts"
import { Venue } from "./Venue.ts"

const DECIMAL = "a decimal string"
const base = (what: string) => field(Schema.String, `${what}, in smallest units of the base token, ${DECIMAL}`)
const quote = (what: string) => field(Schema.String, `${what}, in smallest units of the quote token, ${DECIMAL}`)
const liquidity = (what: string) => field(Schema.String, `${what}, Q64.64 as in the account, ${DECIMAL}`)

/** What can be earned from a pool. */
export const FeeKind = Schema.Literals([
  ...(["trading_fee", "surplus", "migration_fee", "pool_creation_fee", "leftover", "position_fee"] as const),
]).annotate({
  identifier: "FeeKind",
  description:
    "trading_fee: of trades on the curve. surplus: what the curve raised beyond its threshold. migration_fee: of the migration, by the configuration. pool_creation_fee: what the creator paid for the pool, in lamports, less a tenth of the protocol's. leftover: base tokens that the migrated curve did not need. position_fee: of trades on the DAMM v2 pool, for a position in it",
})
export type FeeKind = typeof FeeKind.Type

/** Whose share it is. */
export const FeeParty = Schema.Literals(["creator", "partner", "leftover_receiver", "holder"]).annotate({
  identifier: "FeeParty",
  description:
    "creator: the creator of the pool. partner: feeClaimer of the configuration, the platform. leftover_receiver: leftoverReceiver of the configuration. holder: who else holds the NFT of a position",
})
export type FeeParty = typeof FeeParty.Type

/** Whether a fee can be claimed now. */
export const FeeState = Schema.Literals([
  ...(["claimable", "nothing", "not_complete", "not_migrated", "withdrawn", "elsewhere"] as const),
]).annotate({
  identifier: "FeeState",
  description:
    "claimable: now. nothing: there is none at the moment, or the configuration gives none. not_complete: once the curve is complete. not_migrated: once it has migrated. withdrawn: it is taken once, and was. elsewhere: the NFT of the position was moved, so that its owner is not known here",
})
export type FeeState = typeof FeeState.Type

const FeePosition = Schema.Struct({
  position: field(Address, "Account of the position in the DAMM v2 pool"),
  nftMint: field(Address, "Mint of its NFT: who holds it owns the position"),
  unlockedLiquidity: liquidity("Liquidity that the owner can withdraw"),
  vestedLiquidity: liquidity("Liquidity that is locked until it is released"),
  permanentLockedLiquidity: liquidity("Liquidity that is locked for ever; it earns fees all the same"),
  claimedBaseAmount: base("Fees of the position claimed so far"),
  claimedQuoteAmount: quote("Fees of the position claimed so far"),
}).annotate({ identifier: "FeePosition", description: "A position in the DAMM v2 pool" })

/** A share of what a pool earned. */
export const PoolFee = Schema.Struct({
  kind: FeeKind,
  party: FeeParty,
  owner: field(
    Schema.NullOr(Address),
    "Wallet that gets it, and that alone claims it unless it is a leftover; null if state is elsewhere",
  ),
  state: FeeState,
  baseAmount: base("What a claim gives now; 0 of a leftover that was withdrawn, or whose curve has not migrated"),
  quoteAmount: quote("What a claim gives now; of a fee that was withdrawn, what was given then"),
  lamports: field(Schema.String, `The same of a pool_creation_fee, in lamports, ${DECIMAL}; 0 of others`),
  position: field(Schema.NullOr(FeePosition), "The position, of a position_fee; null of others"),
}).annotate({ identifier: "PoolFee", description: "A share of what a pool earned" })
export type PoolFee = typeof PoolFee.Encoded

/** What was earned from a pool and not claimed yet. */
export const PoolFees = Schema.Struct({
  mintAddress: field(Address, "Mint of the base token"),
  quoteMint: field(Address, "Mint of the quote token"),
  baseDecimals: field(Schema.Int, "Decimals of the base token"),
  quoteDecimals: field(Schema.Int, "Decimals of the quote token"),
  pool: field(Address, "Account of the bonding curve pool"),
  graduatedPool: field(Schema.NullOr(Address), "Pool that trading continues in; null before the migration"),
  venue: field(Venue, "Where the token trades now"),
  creator: field(Address, "Creator of the pool"),
  partner: field(Address, "feeClaimer of the configuration, the platform"),
  isComplete: field(Schema.Boolean, "Whether the curve raised all that it had to"),
  arePositionsKnown: field(
    Schema.Boolean,
    "false: the migration is not indexed (yet), or went to DAMM v1, so that fees of positions are missing here",
  ),
  fees: field(Schema.Array(PoolFee), "Every share, of the curve first"),
  slot: field(Schema.String, `Slot at which all of it was read, ${DECIMAL}`),
}).annotate({
  identifier: "PoolFees",
  description: "What creator and partner of a pool have earned, and what of it can be claimed now",
})
export type PoolFees = typeof PoolFees.Encoded

/** `GET /api/launch/pool/:mintAddress/fees` */
export const poolFeesEndpoint = HttpApiEndpoint.get("poolFees", "/pool/:mintAddress/fees", {
  params: { mintAddress: field(Address, "Mint of the base token") },
  success: Data(PoolFees),
  error: [NotFound.response],
}).annotateMerge(
  describe(
    "Read the fees of a pool",
    "What creator and partner of a pool have earned and can claim now, read from the chain at one slot: trading fees of the curve, the fee for creating the pool, surplus and migration fee once the curve is complete, and after the migration the leftover of base tokens and the fees of their positions in the DAMM v2 pool. `state` of each says why it cannot be claimed. Transactions: POST /api/launch/claim.",
  ),
)
