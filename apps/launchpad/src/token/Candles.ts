/**
 * Candles as the chart has them, and how trades of the stream change them. What a read answers, and the same trades one by one, make the same
 * candles.
 */
import type { Candle, TradeSeen } from "@launch-registry/client"

/** Intervals of the chart with their seconds. */
export const INTERVALS = {
  ...{ "1s": 1, "5s": 5, "15s": 15, "30s": 30, "1m": 60, "5m": 300, "15m": 900 },
  ...{ "1h": 3_600, "4h": 14_400, "1d": 86_400 },
} as const
export type Interval = keyof typeof INTERVALS

/** Bars that a chart shows well beside each other. */
const BARS_SHOWN = 200

/** The shortest interval that shows so many seconds of trading at a glance. */
export const intervalFor = (seconds: number): Interval =>
  (Object.keys(INTERVALS) as Array<Interval>).find((one) => seconds / INTERVALS[one] <= BARS_SHOWN) ?? "1d"

export type Figure = "price" | "marketCap" | "priceUsd" | "marketCapUsd"

/** One candle. The figures are of a drawing: nothing that is sent is made of them. */
export interface Bar {
  /** Start of its interval, Unix time in seconds. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** In smallest units of the quote token. */
  readonly quoteVolume: bigint
}

/** A trade as far as candles go. */
export interface Tick {
  readonly signature: string
  /** Unix time in seconds. */
  readonly time: number
  readonly figure: number
  readonly quoteAmount: bigint
}

const secondsOf = (time: string): number => Math.floor(Date.parse(time) / 1_000)

export const barOf = ({ close, high, low, open, quoteVolume, time }: Candle): Bar => ({
  ...{ time: secondsOf(time), open: Number(open), high: Number(high), low: Number(low), close: Number(close) },
  quoteVolume: BigInt(quoteVolume),
})

/** Whether candles follow trades of the stream: those in US dollars are converted by the minute, and read again. */
export const isStreamed = (figure: Figure): boolean => figure === "price" || figure === "marketCap"

/** `undefined` where the figure is not known. */
export const tickOf = (
  trade: Pick<TradeSeen, "marketCap" | "price" | "quoteAmount" | "signature" | "time">,
  figure: Figure,
): Tick | undefined => {
  const value = figure === "price" ? trade.price : figure === "marketCap" ? trade.marketCap : null
  if (value === null) return undefined
  const { quoteAmount, signature, time } = trade
  return { signature, time: secondsOf(time), figure: Number(value), quoteAmount: BigInt(quoteAmount) }
}

const traded = (bar: Bar | undefined, { figure, quoteAmount }: Tick, time: number, isCounted: boolean): Bar => ({
  ...{ time, open: bar?.open ?? figure, close: figure },
  ...{ high: Math.max(bar?.high ?? figure, figure), low: Math.min(bar?.low ?? figure, figure) },
  quoteVolume: (bar?.quoteVolume ?? 0n) + (isCounted || bar === undefined ? quoteAmount : 0n),
})

/**
 * Bars of `seconds` after these trades, which come in the order of the chain: a trade can have an earlier time than the one before it. Trades that a read
 * may have counted already are not counted again (`isCounted`), and change no price that they have made before.
 */
export const withTicks = (
  bars: ReadonlyArray<Bar>,
  ticks: ReadonlyArray<Tick>,
  seconds: number,
  isCounted = true,
): ReadonlyArray<Bar> => {
  const next = [...bars]
  for (const tick of ticks) {
    const start = tick.time - (tick.time % seconds)
    const at = next.findLastIndex(({ time }) => time <= start)
    const bar = next[at]?.time === start ? next[at] : undefined
    next.splice(bar === undefined ? at + 1 : at, bar === undefined ? 0 : 1, traded(bar, tick, start, isCounted))
  }
  return next
}

/** A bar as it is drawn: it opens where the one before has closed, so that a single trade in an interval has a body, too. */
export const drawnBar = (bars: ReadonlyArray<Bar>, index: number): Bar => {
  const bar = bars[index]!
  const open = bars[index - 1]?.close ?? bar.open
  return { ...bar, open, high: Math.max(bar.high, open), low: Math.min(bar.low, open) }
}

/** Time of the bar whose interval has this time in it, or else of the next one; `undefined` where the bars do not reach back to it. */
export const markedBar = (bars: ReadonlyArray<Bar>, interval: Interval, at: number): number | undefined => {
  const [first] = bars
  if (first === undefined || at < first.time) return undefined
  return bars.find(({ time }) => time + INTERVALS[interval] > at)?.time
}
