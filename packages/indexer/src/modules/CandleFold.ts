import { HOUR, LIFE, MINUTE, type StoredCandleSeconds } from "@launch-registry/domain/launch/StoredCandle"
import type { TradeRow } from "./FactRows.ts"

const CANDLE_SECONDS: ReadonlyArray<StoredCandleSeconds> = [LIFE, MINUTE, HOUR]

/** Prices as sqrt prices (Q64.64) after each trade; volumes in smallest units. */
export interface Candle {
  readonly baseMint: string
  readonly seconds: StoredCandleSeconds
  /** Start, in seconds since 1970. */
  readonly bucket: number
  firstOrdinal: bigint
  lastOrdinal: bigint
  open: bigint
  high: bigint
  low: bigint
  close: bigint
  baseVolume: bigint
  quoteVolume: bigint
  trades: number
}

/** The candles of these trades alone. */
export const foldCandles = (trades: ReadonlyArray<TradeRow>): ReadonlyArray<Candle> => {
  const candles = new Map<string, Candle>()
  for (const trade of trades) {
    for (const seconds of CANDLE_SECONDS) {
      const bucket = seconds === LIFE ? 0 : trade.blockTime - (trade.blockTime % seconds)
      const key = `${trade.baseMint} ${seconds} ${bucket}`
      const candle = candles.get(key)
      if (candle === undefined) candles.set(key, candleOf(trade, seconds, bucket))
      else add(candle, trade)
    }
  }
  return [...candles.values()]
}

const candleOf = (trade: TradeRow, seconds: Candle["seconds"], bucket: number): Candle => ({
  baseMint: trade.baseMint,
  seconds,
  bucket,
  firstOrdinal: trade.ordinal,
  lastOrdinal: trade.ordinal,
  open: trade.nextSqrtPrice,
  high: trade.nextSqrtPrice,
  low: trade.nextSqrtPrice,
  close: trade.nextSqrtPrice,
  baseVolume: trade.baseAmount,
  quoteVolume: trade.quoteAmount,
  trades: 1,
})

const add = (candle: Candle, { baseAmount, nextSqrtPrice, ordinal, quoteAmount }: TradeRow): void => {
  if (ordinal < candle.firstOrdinal) {
    candle.firstOrdinal = ordinal
    candle.open = nextSqrtPrice
  }
  if (ordinal > candle.lastOrdinal) {
    candle.lastOrdinal = ordinal
    candle.close = nextSqrtPrice
  }
  if (nextSqrtPrice > candle.high) candle.high = nextSqrtPrice
  if (nextSqrtPrice < candle.low) candle.low = nextSqrtPrice
  candle.baseVolume += baseAmount
  candle.quoteVolume += quoteAmount
  candle.trades++
}
