import { NotConfigured } from "../http/Unavailable.ts"
import { Schema } from "effect"
import { HttpApiEndpoint } from "effect/http-api"
import { describe, revalidated } from "../http/Describe.ts"
import { DataList } from "../http/Envelope.ts"
import { field } from "../http/Field.ts"
import { cursorFields } from "../http/Paging.ts"
import { Address } from "../solana/Address.ts"
import { IsoTime } from "../time/Timestamp.ts"
import { PoolTrade, TradeSide } from "../pools/PoolTrade.ts"
import { Venue } from "../pools/Venue.ts"

/** A trade in a list of several pools. */
export const Trade = Schema.Struct({
  ...PoolTrade.fields,
  price: field(
    Schema.NullOr(Schema.String),
    "Price after the swap: whole quote tokens for one whole base token, a decimal string; null where the decimals of the tokens could not be read in time",
  ),
  mintAddress: field(Address, "Mint of the base token"),
  quoteMint: field(Address, "Mint of the quote token"),
  pool: field(Address, "Account of the pool: the DBC pool, or the AMM pool that it migrated to"),
}).annotate({
  identifier: "Trade",
  description: "A swap on a bonding curve, or on the AMM pool that it migrated to, with its pool",
})
export type Trade = typeof Trade.Encoded

/** Filters of a list of trades. */
export const TradeFilter = Schema.Struct({
  trader: Schema.optionalKey(field(Address, "Only trades of this wallet")),
  mintAddress: Schema.optionalKey(field(Address, "Only trades of this base token")),
  side: Schema.optionalKey(field(TradeSide, "Only trades in this direction")),
  venue: Schema.optionalKey(field(Venue, "Only trades on this venue")),
  from: Schema.optionalKey(field(IsoTime, "Only trades at this time or later: an ISO 8601 date or date-time")),
  to: Schema.optionalKey(field(IsoTime, "Only trades before this time: an ISO 8601 date or date-time")),
})
export type TradeFilter = typeof TradeFilter.Type

/** `GET /api/launch/trades` */
export const listTrades = HttpApiEndpoint.get("listTrades", "/trades", {
  query: { ...TradeFilter.fields, ...cursorFields },
  success: DataList(Trade),
  error: [NotConfigured.response],
})
  .annotateMerge(revalidated)
  .annotateMerge(
    describe(
      "List trades",
      "Swaps on all bonding curves, and on the AMM pools that they migrated to, as seen on chain, newest first, as a page; `limit` is 100 by default. `from` is included and `to` is not, so that ranges which follow each other have each trade once. Where old trades are read from the history, a page can be short while `pagination.nextCursor` leads to more: the last page is the one where that is null.",
    ),
  )
