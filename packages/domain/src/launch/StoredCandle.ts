import type { CandleInterval } from "./Candle.ts"

/** Lengths of stored candles (`candles.seconds`), in seconds; `LIFE` is everything since the first trade. */
export const LIFE = 0
export const MINUTE = 60
export const HOUR = 3_600
export type StoredCandleSeconds = typeof LIFE | typeof MINUTE | typeof HOUR

/** Length of the candles of an interval, and of the stored candles that they are aggregated from, in seconds. */
export const CANDLE_LENGTHS: Readonly<
  Record<CandleInterval, { readonly seconds: number; readonly storedSeconds: StoredCandleSeconds }>
> = {
  "1m": { seconds: MINUTE, storedSeconds: MINUTE },
  "5m": { seconds: 5 * MINUTE, storedSeconds: MINUTE },
  "15m": { seconds: 15 * MINUTE, storedSeconds: MINUTE },
  "1h": { seconds: HOUR, storedSeconds: HOUR },
  "4h": { seconds: 4 * HOUR, storedSeconds: HOUR },
  "1d": { seconds: 24 * HOUR, storedSeconds: HOUR },
}
