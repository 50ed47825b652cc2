import type { TradeRow } from "./TradeRow.ts"

/** Lengths of the candles that are stored, in seconds; 0 is everything since the first trade. Others are merged from them. */
export const CANDLE_SECONDS = [0, 60, 3600] as const

/** Prices as sqrt prices (Q64.64) after each trade; volumes in smallest units. */
export interface Candle {
  readonly baseMint: string
  readonly seconds: number
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

/** How the values of a candle are folded: any order of trades gives the same. */
export const CANDLE_POLICIES = {
  open: "first",
  high: "max",
  low: "min",
  close: "last",
  baseVolume: "add",
  quoteVolume: "add",
  trades: "add",
} as const

/** The candles of these trades, and of them alone. */
export const foldCandles = (trades: ReadonlyArray<TradeRow>): ReadonlyArray<Candle> => {
  const byMint = new Map<string, Map<number, Candle>>()
  const candles: Array<Candle> = []
  for (const trade of trades) {
    let ofMint = byMint.get(trade.baseMint)
    if (ofMint === undefined) byMint.set(trade.baseMint, (ofMint = new Map()))
    for (const [index, seconds] of CANDLE_SECONDS.entries()) {
      const bucket = seconds === 0 ? 0 : trade.blockTime - (trade.blockTime % seconds)
      // One number for length and start: the lengths are few.
      const key = bucket * CANDLE_SECONDS.length + index
      const candle = ofMint.get(key)
      if (candle === undefined) {
        const first = candleOf(trade, seconds, bucket)
        ofMint.set(key, first)
        candles.push(first)
      } else add(candle, trade)
    }
  }
  return candles
}

/** The candles of several folds as one of them all; they are used up. */
export const joinCandles = (folds: ReadonlyArray<ReadonlyArray<Candle>>): ReadonlyArray<Candle> => {
  const joined = new Map<string, Candle>()
  for (const candles of folds) {
    for (const candle of candles) {
      const key = `${candle.baseMint} ${candle.seconds} ${candle.bucket}`
      const known = joined.get(key)
      if (known === undefined) joined.set(key, candle)
      else join(known, candle)
    }
  }
  return [...joined.values()]
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

const candleOf = (trade: TradeRow, seconds: number, bucket: number): Candle => ({
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
