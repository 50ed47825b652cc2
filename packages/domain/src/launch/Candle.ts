import { Schema } from "effect"
import { field } from "../http/Field.ts"
import { Timestamp } from "../time/Timestamp.ts"

/** Candle intervals. */
export const CandleInterval = Schema.Literals([
  ...([
    "1s",
    "5s",
    "15s",
    "30s",
    "1m",
    "3m",
    "5m",
    "15m",
    "30m",
    "1h",
    "2h",
    "4h",
    "8h",
    "12h",
    "1d",
    "1w",
    "1mo",
  ] as const),
]).annotate({
  identifier: "CandleInterval",
  description:
    "Length of a candle: s seconds, m minutes, h hours, d a day, w a week from Monday on, mo a calendar month; all in UTC",
})
export type CandleInterval = typeof CandleInterval.Type

/** Default interval and number of candles. */
export const CANDLE_INTERVAL: CandleInterval = "1m"
export const CANDLES_LIMIT = 300

/** What a candle is of. */
export const CandleFigure = Schema.Literals(["price", "marketCap", "priceUsd", "marketCapUsd"]).annotate({
  identifier: "CandleFigure",
  description:
    "price: whole quote tokens for one whole base token. marketCap: that times the supply before migration, in whole quote tokens. priceUsd, marketCapUsd: the same in US dollars, each minute (each hour where the interval is an hour or longer; below a minute, each trade) at the price that the quote token had in it",
})
export type CandleFigure = typeof CandleFigure.Type
export const CANDLE_FIGURE: CandleFigure = "price"

const price = (of: string) => field(Schema.String, `Price, or the figure that was asked for, ${of}, a decimal string`)
const volume = (token: string) =>
  field(
    Schema.String,
    `Sum of ${token}Amount of the trades in the interval, in smallest units of the ${token} token, a decimal string`,
  )

/** A candle of a token, over its curve and the AMM pool that it migrated to; an interval without a trade has none. */
export const Candle = Schema.Struct({
  time: field(Timestamp, "Start of the interval"),
  open: price("after the first trade"),
  high: price("at its highest"),
  low: price("at its lowest"),
  close: price("after the last trade"),
  baseVolume: volume("base"),
  quoteVolume: volume("quote"),
  trades: field(Schema.Int, "Number of trades in the interval"),
  volumeUsd: Schema.optionalKey(
    field(Schema.String, "quoteVolume in US dollars, a decimal string; only with a figure in US dollars"),
  ),
}).annotate({
  identifier: "Candle",
  description:
    "Price and volume of a token in one interval, on its bonding curve and on the AMM pool that it migrated to",
})
export type Candle = typeof Candle.Encoded
