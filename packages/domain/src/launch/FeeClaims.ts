import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { describe, revalidated } from "../http/Describe.ts"
import { DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { cursorFields } from "../http/Paging.ts"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { FeeKind } from "../pools/PoolFees.ts"
import { PoolTrade } from "../pools/PoolTrade.ts"
import { Venue } from "../pools/Venue.ts"

const amount = (token: "base" | "quote") =>
  field(Schema.String, `What the claim gave, in smallest units of the ${token} token, a decimal string`)

/** A claim of fees, as seen on chain. */
export const FeeClaim = Schema.Struct({
  signature: field(Schema.String, "Signature of the transaction, base58"),
  slot: field(Schema.String, "Slot of the transaction, a decimal string"),
  time: field(Timestamp, "Block time of the transaction"),
  kind: FeeKind,
  party: field(
    Schema.NullOr(Schema.Literals(["creator", "partner", "leftover_receiver"])),
    "creator, partner or leftover_receiver of the pool; null of a position_fee, which is of the holder of a position",
  ),
  wallet: field(Address, "Wallet that claimed; of a leftover its receiver, whoever sent it"),
  mintAddress: field(Schema.NullOr(Address), "Mint of the base token; null if the pool is not indexed"),
  quoteMint: field(
    Schema.NullOr(Address),
    "Mint of the quote token; SOL of a pool_creation_fee, whose lamports are its quoteAmount; null of a leftover if the pool is not indexed",
  ),
  venue: Venue,
  pool: field(Address, "Account of the pool: the DBC pool, or the DAMM v2 pool that it migrated to"),
  position: field(Schema.NullOr(Address), "Account of the position, of a position_fee; null of others"),
  baseAmount: amount("base"),
  quoteAmount: amount("quote"),
  finality: PoolTrade.fields.finality,
}).annotate({ identifier: "FeeClaim", description: "A claim of fees, as seen on chain" })
export type FeeClaim = typeof FeeClaim.Encoded

/** Filters of a list of claims. */
export const FeeClaimFilter = Schema.Struct({
  walletAddress: Schema.optionalKey(field(Address, "Only claims of this wallet")),
  mintAddress: Schema.optionalKey(field(Address, "Only claims of fees of this base token")),
})
export type FeeClaimFilter = typeof FeeClaimFilter.Type

/** `GET /api/launch/claims` */
export const claimsEndpoint = HttpApiEndpoint.get("claims", "/claims", {
  query: { ...FeeClaimFilter.fields, ...cursorFields },
  success: DataList(FeeClaim),
})
  .annotateMerge(revalidated)
  .annotateMerge(
    describe(
      "List claims of fees",
      "What creators, partners, receivers of leftovers and holders of positions have claimed, as seen on chain, newest first, as a page; `limit` is 100 by default. Empty for a mint whose pool is not indexed.",
    ),
  )
