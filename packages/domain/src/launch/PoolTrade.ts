import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** Which way a swap went: BUY gives quote for base. */
export const TradeSide = Schema.Literals(["BUY", "SELL"]).annotate({
  identifier: "TradeSide",
  description: "BUY: quote token in, base token out. SELL: base token in, quote token out",
})
export type TradeSide = typeof TradeSide.Type

/** A swap on a bonding curve, as it was seen on chain. */
export const PoolTrade = Schema.Struct({
  signature: field(Schema.String, "Signature of the transaction, base58"),
  slot: field(Schema.String, "Slot of the transaction, a decimal string"),
  time: field(Timestamp, "Block time of the transaction"),
  trader: field(Address, "Wallet that traded"),
  side: TradeSide,
  baseAmount: field(Schema.String, "In smallest units of the base token, a decimal string"),
  quoteAmount: field(Schema.String, "In smallest units of the quote token, a decimal string"),
  fee: field(Schema.String, "In smallest units of the token that the pool takes fees in, a decimal string"),
  price: field(Schema.String, "Price after the swap: whole quote tokens for one whole base token, a decimal string"),
  finality: Schema.Literals(["confirmed", "finalized"]).annotate({
    description:
      "confirmed: a fork may still roll it back. finalized: its slot is proven against the finalized chain, so it stays",
  }),
}).annotate({ identifier: "PoolTrade", description: "A swap on a bonding curve, as it was seen on chain" })
export type PoolTrade = typeof PoolTrade.Encoded
