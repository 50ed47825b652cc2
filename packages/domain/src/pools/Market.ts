import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Address } from "../solana/Address.ts"
import { LastHolderCount } from "./HolderCount.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** Where a launch is: trading on its curve, complete and waiting for the migration, or migrated to an AMM pool. */
export const CurveStage = Schema.Literals(["curve", "completed", "migrated"]).annotate({
  identifier: "CurveStage",
  description:
    "curve: trading on the curve. completed: all is raised, not migrated yet. migrated: trading in an AMM pool",
})
export type CurveStage = typeof CurveStage.Type

const wholeQuote = (what: string) =>
  field(Schema.NullOr(Schema.String), `${what}, in whole quote tokens, a decimal string; null while it is not known`)

const inUsd = (what: string) =>
  field(
    Schema.NullOr(Schema.String),
    `${what}, in US dollars, a decimal string; null while it, or the price of the quote token in dollars, is not known`,
  )

const usdFields = {
  priceUsd: inUsd("Price of one whole token"),
  marketCapUsd: inUsd("Market cap"),
  liquidityUsd: inUsd("Liquidity"),
  usdAsOf: field(
    Schema.NullOr(Timestamp),
    "When the price of the quote token in US dollars was read; null where none is known, or where the last one is a day old",
  ),
  usdStale: field(
    Schema.NullOr(Schema.Boolean),
    "Whether that was more than two minutes ago: the source of prices does not answer, or has no price of the token any more",
  ),
}

const QUOTE_UNITS = "in smallest units of the quote token, a decimal string"

/** Against the last trade of a minute that ended before, or the start of the curve. */
const changeWithin = (span: string) =>
  field(
    Schema.NullOr(Schema.Finite),
    `Change of the price within ${span}, or since the launch where no trade is older, in percent: 50 is half more, -50 half less; null while it is not known`,
  )

const volumeOf = (of: string, span: string) =>
  field(Schema.String, `Quote tokens ${of} in the last ${span} as last counted, ${QUOTE_UNITS}`)

/** Figures of a token, from the indexed trades: on its curve, and after the migration on the AMM pool. What was raised stays. */
export const Market = Schema.Struct({
  pool: field(Address, "Account of the DBC pool"),
  quoteMint: field(Address, "Mint of the quote token, in which prices and amounts are"),
  quoteDecimals: field(
    Schema.NullOr(Schema.Int),
    "Decimals of the quote token: a whole one has 10^quoteDecimals smallest units; null while they are not known",
  ),
  stage: CurveStage,
  price: wholeQuote("Price of one whole token after its last trade; without a trade, at the start of the curve"),
  marketCap: wholeQuote("Price times the supply before migration"),
  liquidity: wholeQuote(
    "On the curve the quote tokens raised, what its holders can sell for; on an AMM pool twice the quote tokens in it after its last trade",
  ),
  ...usdFields,
  priceChange5m: changeWithin("5 minutes"),
  priceChange1h: changeWithin("an hour"),
  priceChange6h: changeWithin("6 hours"),
  priceChange24h: changeWithin("24 hours"),
  buyVolume5m: volumeOf("that buys paid", "5 minutes"),
  buyVolume1h: volumeOf("that buys paid", "hour"),
  buyVolume6h: volumeOf("that buys paid", "6 hours"),
  buyVolume24h: volumeOf("that buys paid", "24 hours"),
  sellVolume5m: volumeOf("that sells received", "5 minutes"),
  sellVolume1h: volumeOf("that sells received", "hour"),
  sellVolume6h: volumeOf("that sells received", "6 hours"),
  sellVolume24h: volumeOf("that sells received", "24 hours"),
  quoteVolume24h: field(Schema.String, `Quote tokens traded in the last 24 hours as last counted, ${QUOTE_UNITS}`),
  trades24h: field(Schema.Int, "Number of trades in the last 24 hours as last counted"),
  quoteProgress: field(
    Schema.NullOr(Schema.Finite),
    "Quote tokens raised as a fraction of migrationQuoteThreshold, from 0 to 1; null while it is not known",
  ),
  quoteReserve: field(
    Schema.NullOr(Schema.String),
    `Quote tokens raised, without fees, ${QUOTE_UNITS}; null if the last trade on the curve does not say (swaps of old programs)`,
  ),
  migrationQuoteThreshold: field(
    Schema.NullOr(Schema.String),
    `Quote tokens to raise before the curve migrates, ${QUOTE_UNITS}; null while it is not known`,
  ),
  lastTradeAt: field(Schema.NullOr(Timestamp), "Block time of the last trade; null without one"),
  graduatedPool: field(
    Schema.NullOr(Address),
    "AMM pool that trading continues in, as the migration named it; null before",
  ),
  holders: field(
    Schema.NullOr(LastHolderCount),
    "Holders when they were last read from the chain, for a list of them, their count or a trust report; null if they never were",
  ),
  imageUri: field(
    Schema.NullOr(Schema.String),
    "Image that was sent here when the launch was built, or of its metadata document if that is stored here: an https or ipfs URI; null without one",
  ),
}).annotate({
  identifier: "Market",
  description:
    "Figures of a token from the indexed trades, on its bonding curve and on the AMM pool that it migrated to",
})
export type Market = typeof Market.Type
