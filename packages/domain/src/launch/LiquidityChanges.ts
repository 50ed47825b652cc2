import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { describe, revalidated } from "../http/Describe.ts"
import { DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { cursorFields } from "../http/Paging.ts"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { PoolTrade } from "../pools/PoolTrade.ts"

const amount = (token: "base" | "quote") =>
  field(Schema.String, `What the pool or the owner received, in smallest units of the ${token} token, a decimal string`)

/** Liquidity that was added to a migrated pool or withdrawn from it, as seen on chain. */
export const LiquidityChange = Schema.Struct({
  signature: field(Schema.String, "Signature of the transaction, base58"),
  slot: field(Schema.String, "Slot of the transaction, a decimal string"),
  time: field(Timestamp, "Block time of the transaction"),
  change: field(
    Schema.Literals(["added", "withdrawn"]),
    "added: into the pool, by anybody. withdrawn: out of it, by who holds the NFT of the position",
  ),
  owner: field(Address, "Wallet that held the NFT of the position and signed"),
  position: field(Address, "Account of the position"),
  baseAmount: amount("base"),
  quoteAmount: amount("quote"),
  liquidity: field(Schema.String, "By how much the liquidity of the pool changed, Q64.64, a decimal string"),
  finality: PoolTrade.fields.finality,
}).annotate({
  identifier: "LiquidityChange",
  description: "Liquidity that was added to a migrated pool or withdrawn from it, as seen on chain",
})
export type LiquidityChange = typeof LiquidityChange.Encoded

/** `GET /api/launch/pool/:mintAddress/liquidity` */
export const liquidityChangesEndpoint = HttpApiEndpoint.get("liquidityChanges", "/pool/:mintAddress/liquidity", {
  params: { mintAddress: field(Address, "Mint of the base token") },
  query: cursorFields,
  success: DataList(LiquidityChange),
})
  .annotateMerge(revalidated)
  .annotateMerge(
    describe(
      "List changes of liquidity",
      "Liquidity that was added to the DAMM v2 pool of a token after its migration, or withdrawn from it, as seen on chain, newest first, as a page; `limit` is 100 by default. What the migration itself added is not among it. Empty for a mint whose pool has not migrated or is not indexed, and for DAMM v1.",
    ),
  )
