import { Schema } from "effect"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"

const units = Schema.String.annotate({ description: "Whole number in smallest units, as a decimal string" })

/** Which way a swap went: BUY gives quote for base. */
export const TradeSide = Schema.Literals(["BUY", "SELL"]).annotate({ identifier: "TradeSide" })
export type TradeSide = typeof TradeSide.Type

/** A swap on a bonding curve, as it was seen on chain. */
export const PoolTrade = Schema.Struct({
  signature: Schema.String,
  slot: Schema.String,
  time: Timestamp,
  trader: Address,
  side: TradeSide,
  baseAmount: units,
  quoteAmount: units,
  fee: Schema.String.annotate({ description: "In the smallest unit of the token that the pool takes fees in" }),
  price: Schema.String.annotate({
    description: "After the swap: decimal string, in whole quote tokens for a whole base token",
  }),
  finality: Schema.Literals(["confirmed", "finalized"]).annotate({
    description: "finalized: everything of its slot is proven against the finalized chain, so it cannot be taken back",
  }),
}).annotate({ identifier: "PoolTrade" })
export type PoolTrade = typeof PoolTrade.Encoded
