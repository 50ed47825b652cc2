import type { CandleInterval } from "./Candle.ts"

/** Lengths of stored candles (`candles.seconds`), in seconds; `LIFE` is everything since the first trade. */
export const LIFE = 0
export const MINUTE = 60
export const HOUR = 3_600
export type StoredCandleSeconds = typeof LIFE | typeof MINUTE | typeof HOUR

/** Trades, of which candles shorter than a minute are made where they are read. */
export const TRADE = 1

interface CandleLength {
  /** Of a month, those of the longest one. */
  readonly seconds: number
  /** Of the stored candles that they are made of. */
  readonly storedSeconds: typeof TRADE | typeof MINUTE | typeof HOUR
}

const of = (storedSeconds: CandleLength["storedSeconds"], seconds: number): CandleLength => ({ seconds, storedSeconds })

/** Length of the candles of an interval, and of what they are made of, in seconds. */
export const CANDLE_LENGTHS: Readonly<Record<CandleInterval, CandleLength>> = {
  "1s": of(TRADE, 1),
  "5s": of(TRADE, 5),
  "15s": of(TRADE, 15),
  "30s": of(TRADE, 30),
  "1m": of(MINUTE, MINUTE),
  "3m": of(MINUTE, 3 * MINUTE),
  "5m": of(MINUTE, 5 * MINUTE),
  "15m": of(MINUTE, 15 * MINUTE),
  "30m": of(MINUTE, 30 * MINUTE),
  "1h": of(HOUR, HOUR),
  "2h": of(HOUR, 2 * HOUR),
  "4h": of(HOUR, 4 * HOUR),
  "8h": of(HOUR, 8 * HOUR),
  "12h": of(HOUR, 12 * HOUR),
  "1d": of(HOUR, 24 * HOUR),
  "1w": of(HOUR, 7 * 24 * HOUR),
  "1mo": of(HOUR, 31 * 24 * HOUR),
}

/** Hours that are read for a page, at most: those of five years. */
const HOURS_MAX = 60 * 31 * 24

/** Candles of an interval in a page, at most. */
export const candlesIn = (interval: CandleInterval, limit: number): number =>
  CANDLE_LENGTHS[interval].storedSeconds === HOUR
    ? Math.min(limit, Math.floor((HOURS_MAX * HOUR) / CANDLE_LENGTHS[interval].seconds))
    : limit
