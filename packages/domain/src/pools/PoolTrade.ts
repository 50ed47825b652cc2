import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { Timestamp } from "../time/Timestamp.ts"
import { Venue } from "./Venue.ts"

/** Direction of a trade: BUY pays quote tokens for base tokens. */
export const TradeSide = Schema.Literals(["BUY", "SELL"]).annotate({
  identifier: "TradeSide",
  description: "BUY: quote token in, base token out. SELL: base token in, quote token out",
})
export type TradeSide = typeof TradeSide.Type

/** How amounts of a trade include the fee. */
export const PAID_OR_GOT = "paid, fee included, or received, fee deducted"

export const TRADE_FEE =
  "Trading, protocol and referral fee in total, in smallest units of the quote token; for a BUY of the base token if collectFeeMode of the configuration is 1, or if a DAMM v2 pool takes its fee from the output. On damm_v1 of the token that was sent, by the rate of the pool. A decimal string"

const AtTrade = Schema.NullOr(Schema.String).annotate({
  identifier: "UsdAtTrade",
  description:
    "In US dollars at that time, a decimal string; null while it, or the price of the quote token in dollars, is not known",
})

/** What a trade was in US dollars at its time. */
export const TradeUsd = Schema.Struct({ priceUsd: AtTrade, quoteAmountUsd: AtTrade })
export type TradeUsd = typeof TradeUsd.Encoded

/** A swap on a bonding curve, or on the AMM pool that it migrated to, as seen on chain. */
export const PoolTrade = Schema.Struct({
  signature: field(Schema.String, "Signature of the transaction, base58"),
  slot: field(Schema.String, "Slot of the transaction, a decimal string"),
  time: field(Timestamp, "Block time of the transaction"),
  trader: field(Address, "Wallet that traded"),
  side: TradeSide,
  venue: Venue,
  baseAmount: field(Schema.String, `Base tokens that the trader ${PAID_OR_GOT}, in smallest units, a decimal string`),
  quoteAmount: field(Schema.String, `Quote tokens that the trader ${PAID_OR_GOT}, in smallest units, a decimal string`),
  fee: field(Schema.String, TRADE_FEE),
  price: field(Schema.String, "Price after the swap: whole quote tokens for one whole base token, a decimal string"),
  ...TradeUsd.fields,
  finality: Schema.Literals(["confirmed", "finalized"]).annotate({
    description: "confirmed: a fork may still roll it back. finalized: its slot is proven against the finalized chain",
  }),
}).annotate({
  identifier: "PoolTrade",
  description: "A swap on a bonding curve, or on the AMM pool that it migrated to, as seen on chain",
})
export type PoolTrade = typeof PoolTrade.Encoded
