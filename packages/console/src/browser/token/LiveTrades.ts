import type { TradeSeen } from "@launch-registry/client"
import { type Failure, failureOf } from "../Failure.ts"
import { read, registry } from "../Registry.ts"
import type { TokenEvents } from "./TokenEvents.ts"
import { rowOfTrade, TRADES_MAX, type TradeRow, withOlderPage, withoutReverted, withPage, withSeen } from "./Trades.ts"

const PAGE = 50

export interface TradesShown {
  readonly rows: ReadonlyArray<TradeRow>
  /** How many of them are drawn: all that were asked for. A long list that moves twice a second is what costs. */
  readonly drawn: number
  readonly isLoading: boolean
  readonly failure: Failure | undefined
  /** Of the page behind the last row; null at the end. */
  readonly nextCursor: string | null
  /** The newest trade of the stream; none while there was none. */
  readonly newest: TradeSeen | undefined
}

export const NO_TRADES: TradesShown = {
  rows: [],
  drawn: PAGE,
  isLoading: true,
  failure: undefined,
  nextCursor: null,
  newest: undefined,
}

/** A list is not read faster than this. */
const DRAW_MILLIS = 500
/** More than this while the list is not drawn does not fit into it either. */
const WAITING_MAX = TRADES_MAX

export interface LiveTrades {
  readonly more: () => void
  readonly retry: () => void
  readonly stop: () => void
}

/** Trades of a token, newest first, which follow the stream; shown twice a second at most. */
export const liveTrades = (mint: string, events: TokenEvents, show: (shown: TradesShown) => void): LiveTrades => {
  const ended = new AbortController()
  let shown = NO_TRADES
  let waiting: Array<TradeSeen> = []
  let timer: ReturnType<typeof setTimeout> | undefined
  let drawnAt = 0
  let isReading = false
  let isReadingAgain = false

  const draw = (): void => {
    timer = undefined
    drawnAt = Date.now()
    if (ended.signal.aborted) return
    if (waiting.length > 0) {
      shown = { ...shown, rows: withSeen(shown.rows, waiting), newest: waiting.at(-1) }
      waiting = []
    }
    show(shown)
  }
  const change = (differences: Partial<TradesShown>): void => {
    shown = { ...shown, ...differences }
    timer ??= setTimeout(draw, Math.max(0, drawnAt + DRAW_MILLIS - Date.now()))
  }
  const pageOf = async (cursor?: string) => {
    const asked = { mintAddress: mint, limit: PAGE, ...(cursor !== undefined && { cursor }) }
    const { data, pagination } = await read(registry.launch.trades(asked, { signal: ended.signal }))
    return { page: data.map(rowOfTrade), nextCursor: pagination?.nextCursor ?? null }
  }
  const readNewest = async (): Promise<void> => {
    if (isReading) return void (isReadingAgain = true)
    isReading = true
    isReadingAgain = false
    try {
      const { nextCursor, page } = await pageOf()
      const { isConnected, rows } = withPage(shown.rows, page)
      change({ rows, isLoading: false, failure: undefined, ...(!isConnected && { nextCursor }) })
    } catch (error) {
      if (!ended.signal.aborted) change({ isLoading: false, failure: failureOf(error) })
    } finally {
      isReading = false
    }
    if (isReadingAgain && !ended.signal.aborted) void readNewest()
  }
  const readOlder = async (): Promise<void> => {
    const cursor = shown.nextCursor
    if (shown.rows.length > shown.drawn) return change({ drawn: shown.drawn + PAGE })
    if (cursor === null || isReading) return
    isReading = true
    try {
      const { nextCursor, page } = await pageOf(cursor)
      const rows = withOlderPage(shown.rows, page)
      change({
        rows,
        drawn: shown.drawn + PAGE,
        nextCursor: rows.length >= TRADES_MAX ? null : nextCursor,
        failure: undefined,
      })
    } catch (error) {
      if (!ended.signal.aborted) change({ failure: failureOf(error) })
    } finally {
      isReading = false
    }
    if (isReadingAgain && !ended.signal.aborted) void readNewest()
  }
  const unsubscribe = events.subscribe({
    onTrades: (trades) => {
      waiting = [...waiting, ...trades].slice(-WAITING_MAX)
      change({})
    },
    onReverted: (signatures) => {
      waiting = waiting.filter(({ signature }) => !signatures.has(signature))
      change({ rows: withoutReverted(shown.rows, signatures) })
    },
    onMissing: () => void readNewest(),
  })
  void readNewest()
  return {
    more: () => void readOlder(),
    retry: () => {
      change({ failure: undefined, isLoading: shown.rows.length === 0 })
      void readNewest()
    },
    stop: () => {
      ended.abort()
      unsubscribe()
      clearTimeout(timer)
    },
  }
}
