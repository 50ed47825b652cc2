import { HOUR, LIFE, MINUTE, type StoredCandleSeconds } from "@launch-registry/domain/launch/StoredCandle"
import type { TradeRow } from "./TradeRow.ts"

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

/** Candles by mint, and by length and start as one number: the lengths are few. */
class CandleTable {
  readonly candles: Array<Candle> = []
  readonly #byMint = new Map<string, Map<number, Candle>>()

  ofMint(baseMint: string): Map<number, Candle> {
    let ofMint = this.#byMint.get(baseMint)
    if (ofMint === undefined) this.#byMint.set(baseMint, (ofMint = new Map()))
    return ofMint
  }

  add(ofMint: Map<number, Candle>, key: number, candle: Candle): void {
    ofMint.set(key, candle)
    this.candles.push(candle)
  }
}

const keyOf = (bucket: number, index: number): number => bucket * CANDLE_SECONDS.length + index

/** The candles of these trades alone. */
export const foldCandles = (trades: ReadonlyArray<TradeRow>): ReadonlyArray<Candle> => {
  const table = new CandleTable()
  for (const trade of trades) {
    const ofMint = table.ofMint(trade.baseMint)
    for (let index = 0; index < CANDLE_SECONDS.length; index++) {
      const seconds = CANDLE_SECONDS[index]!
      const bucket = seconds === LIFE ? 0 : trade.blockTime - (trade.blockTime % seconds)
      const key = keyOf(bucket, index)
      const candle = ofMint.get(key)
      if (candle === undefined) table.add(ofMint, key, candleOf(trade, seconds, bucket))
      else add(candle, trade)
    }
  }
  return table.candles
}

/** Merges the candles of several folds, which are mutated. */
export const joinCandles = (folds: ReadonlyArray<ReadonlyArray<Candle>>): ReadonlyArray<Candle> => {
  const table = new CandleTable()
  for (const candles of folds) {
    for (const candle of candles) {
      const ofMint = table.ofMint(candle.baseMint)
      const key = keyOf(candle.bucket, CANDLE_SECONDS.indexOf(candle.seconds))
      const known = ofMint.get(key)
      if (known === undefined) table.add(ofMint, key, candle)
      else join(known, candle)
    }
  }
  return table.candles
}

const join = (candle: Candle, other: Candle): void => {
  if (other.firstOrdinal < candle.firstOrdinal) {
    candle.firstOrdinal = other.firstOrdinal
    candle.open = other.open
  }
  if (other.lastOrdinal > candle.lastOrdinal) {
    candle.lastOrdinal = other.lastOrdinal
    candle.close = other.close
  }
  if (other.high > candle.high) candle.high = other.high
  if (other.low < candle.low) candle.low = other.low
  candle.baseVolume += other.baseVolume
  candle.quoteVolume += other.quoteVolume
  candle.trades += other.trades
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
