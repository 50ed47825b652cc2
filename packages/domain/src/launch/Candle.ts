import { Schema } from "effect"
import { Timestamp } from "../time/Timestamp.ts"

/** Lengths of candles that can be asked for. A day is one of UTC. */
export const CandleInterval = Schema.Literals(["1m", "5m", "15m", "1h", "4h", "1d"])
export type CandleInterval = typeof CandleInterval.Type

/** What candles are answered, and how many, when nobody says. */
export const CANDLE_INTERVAL: CandleInterval = "1m"
export const CANDLES_LIMIT = 300

const price = Schema.String.annotate({ description: "Decimal string, in whole quote tokens for a whole base token" })
const units = Schema.String.annotate({ description: "Whole number in smallest units, as a decimal string" })

/** What a bonding curve did in one interval; there is none for an interval without a trade. */
export const Candle = Schema.Struct({
  time: Timestamp.annotateKey({ description: "Start of the interval" }),
  open: price,
  high: price,
  low: price,
  close: price,
  baseVolume: units,
  quoteVolume: units,
  trades: Schema.Int,
}).annotate({ identifier: "Candle" })
export type Candle = typeof Candle.Encoded
