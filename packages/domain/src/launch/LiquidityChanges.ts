import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { describe, revalidated } from "../http/Describe.ts"
import { DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { cursorFields } from "../http/Paging.ts"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { LiquidityMove } from "../pools/LiquidityMove.ts"
import { PoolTrade } from "../pools/PoolTrade.ts"

/** Liquidity of a migrated pool that was added, withdrawn, locked or split, as seen on chain. */
export const LiquidityChange = Schema.Struct({
  signature: field(Schema.String, "Signature of the transaction, base58"),
  slot: field(Schema.String, "Slot of the transaction, a decimal string"),
  time: field(Timestamp, "Block time of the transaction"),
  ...LiquidityMove.fields,
  finality: PoolTrade.fields.finality,
}).annotate({
  identifier: "LiquidityChange",
  description: "Liquidity of a migrated pool that was added, withdrawn, locked or split, as seen on chain",
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
      "Liquidity that was added to the DAMM v2 pool of a token after its migration, withdrawn from it, locked, or split off a position, as seen on chain, newest first, as a page; `limit` is 100 by default. What the migration itself added and locked is not among it. Empty for a mint whose pool has not migrated or is not indexed, and for DAMM v1.",
    ),
  )
