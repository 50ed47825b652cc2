import type { TradeSeen } from "@launch-registry/client"
import { type Failure, failureOf } from "../Failure.ts"
import { read, registry } from "../Registry.ts"
import {
  type Bar,
  barOf,
  type Figure,
  INTERVALS,
  type Interval,
  isStreamed,
  type Tick,
  tickOf,
  withNewest,
  withOlder,
  withTicks,
} from "./Candles.ts"
import type { TokenEvents } from "./TokenEvents.ts"

/** Where candles are drawn. */
export interface CandleView {
  /** All of them. */
  readonly draw: (bars: ReadonlyArray<Bar>) => void
  /** Those from this index on, which is that of the one that was the last or of a later one. */
  readonly update: (bars: ReadonlyArray<Bar>, from: number) => void
}

export interface CandleState {
  readonly isLoading: boolean
  readonly failure: Failure | undefined
  readonly count: number
  readonly isOlderRead: boolean
}

const PAGE = 500
/** What a chart holds; further back one takes a longer interval. */
const BARS_MAX = 20_000
/** Read again: volume of trades that were lost with a connection, and what was rolled back. */
const READ_EVERY_MILLIS = 30_000
/** After a trade that does not say the figure. */
const READ_SOON_MILLIS = 3_000
/** Trades that may be newer than what a read answers. */
const RECENT_MAX = 2_000

export interface LiveCandles {
  /** Called when one looks at the oldest bars. */
  readonly older: () => void
  readonly retry: () => void
  readonly stop: () => void
}

/** Candles of a token that follow its trades until they are stopped. */
export const liveCandles = (
  mint: string,
  { figure, interval }: { readonly figure: Figure; readonly interval: Interval },
  events: TokenEvents,
  view: CandleView,
  onState: (state: CandleState) => void,
): LiveCandles => {
  const ended = new AbortController()
  const seconds = INTERVALS[interval]
  let bars: ReadonlyArray<Bar> = []
  let recent: Array<Tick> = []
  let state: CandleState = { isLoading: true, failure: undefined, count: 0, isOlderRead: false }
  let isReading = false
  let isReadingAgain = false
  let isReadingOlder = false
  let hasRead = false

  const show = (differences: Partial<CandleState>): void => {
    const next = { ...state, ...differences, count: bars.length }
    const isSame = (Object.keys(next) as Array<keyof CandleState>).every((key) => next[key] === state[key])
    state = next
    if (!isSame && !ended.signal.aborted) onState(state)
  }
  const pageOf = async (to?: number): Promise<ReadonlyArray<Bar>> => {
    const range = to === undefined ? {} : { to: new Date(to * 1_000).toISOString() }
    const asked = { mintAddress: mint, interval, figure, limit: PAGE, ...range }
    const { data } = await read(registry.launch.candles(asked, { signal: ended.signal }))
    return data.map(barOf)
  }

  const readNewest = async (): Promise<void> => {
    if (isReading) return void (isReadingAgain = true)
    isReading = true
    isReadingAgain = false
    try {
      const newest = await pageOf()
      bars = withTicks(withNewest(bars, newest, PAGE), recent, seconds, false).bars
      view.draw(bars)
      hasRead = true
      show({ isLoading: false, failure: undefined, ...(newest.length < PAGE && { isOlderRead: true }) })
    } catch (error) {
      if (!ended.signal.aborted) show({ isLoading: false, failure: failureOf(error) })
    } finally {
      isReading = false
    }
    if (isReadingAgain && !ended.signal.aborted) void readNewest()
  }
  const older = async (): Promise<void> => {
    const [first] = bars
    if (isReadingOlder || first === undefined || state.isOlderRead || bars.length >= BARS_MAX) return
    isReadingOlder = true
    try {
      const page = await pageOf(first.time)
      // Another read may have replaced them all meanwhile.
      if (bars[0]?.time !== first.time) return
      bars = withOlder(bars, page)
      if (page.length > 0) view.draw(bars)
      show({ isOlderRead: page.length < PAGE })
    } catch (error) {
      if (!ended.signal.aborted) show({ failure: failureOf(error) })
    } finally {
      isReadingOlder = false
    }
  }

  let soon: ReturnType<typeof setTimeout> | undefined
  const readSoon = (): void => {
    soon ??= setTimeout(() => {
      soon = undefined
      void readNewest()
    }, READ_SOON_MILLIS)
  }
  const onTrades = (trades: ReadonlyArray<TradeSeen>): void => {
    if (!isStreamed(figure)) return readSoon()
    const ticks = trades.map((trade) => tickOf(trade, figure)).filter((tick) => tick !== undefined)
    if (ticks.length === 0) return
    recent = [...recent, ...ticks].slice(-RECENT_MAX)
    // Until then a candle would begin with what is not its first trade.
    if (!hasRead) return
    const changed = withTicks(bars, ticks, seconds)
    const wasLast = bars.length - 1
    bars = changed.bars
    if (changed.from >= wasLast) view.update(bars, changed.from)
    else view.draw(bars)
    show({})
  }
  const unsubscribe = events.subscribe({
    onTrades,
    onReverted: (signatures) => {
      recent = recent.filter(({ signature }) => !signatures.has(signature))
      void readNewest()
    },
    onMissing: () => {
      // What is streamed from now on is not what was lost.
      recent = []
      void readNewest()
    },
  })
  const timer = setInterval(() => void readNewest(), READ_EVERY_MILLIS)
  void readNewest()
  return {
    older: () => void older(),
    retry: () => {
      show({ isLoading: !hasRead, failure: undefined })
      void readNewest()
    },
    stop: () => {
      ended.abort()
      unsubscribe()
      clearInterval(timer)
      clearTimeout(soon)
    },
  }
}
