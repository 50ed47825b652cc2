import { answered, type RegistryError } from "@launch-registry/client"
import { useInfiniteQuery } from "@tanstack/react-query"
import { useEffect, useMemo, useRef } from "react"
import { registry } from "../registry/Connection.ts"
import type { CandleChart } from "./CandleChart.ts"
import {
  type Bar,
  barOf,
  type Figure,
  INTERVALS,
  type Interval,
  isStreamed,
  type Tick,
  tickOf,
  withTicks,
} from "./Candles.ts"
import type { TokenEvents } from "./TokenEvents.ts"

/** What is read at once: the newest, then those before them when the chart is moved there. */
const PAGE = 300
/** Read again: volume of trades that were lost with a connection, and figures that trades do not say. */
const READ_EVERY_MILLIS = 30_000
/** Trades that may be newer than what a read answers. */
const RECENT_MAX = 2_000

/** Draws candles of a token, and what its trades make of them. */
export const useCandles = (
  asked: { readonly mintAddress: string; readonly figure: Figure; readonly interval: Interval },
  { subscribe }: TokenEvents,
  chart: CandleChart | undefined,
) => {
  const { figure, interval } = asked
  const seconds = INTERVALS[interval]
  const { data, error, fetchNextPage, hasNextPage, isFetching, refetch } = useInfiniteQuery({
    queryKey: ["candles", asked],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ pageParam: to, signal }) =>
      answered(await registry.launch.candles({ ...asked, to, limit: PAGE }, { signal })).data,
    // A page that is not full may have others before it, too.
    getNextPageParam: ([oldest]) => oldest?.time,
    retry: false,
    refetchInterval: READ_EVERY_MILLIS,
  })
  const read = useMemo(() => data?.pages.toReversed().flat(), [data])
  const bars = useRef<ReadonlyArray<Bar>>(undefined)
  const recent = useRef<ReadonlyArray<Tick>>([])
  useEffect(() => {
    bars.current = read && withTicks(read.map(barOf), recent.current, seconds, false)
    chart?.draw(bars.current ?? [])
  }, [read, chart, seconds])
  useEffect(() => {
    chart?.onStart(() => void (hasNextPage && !isFetching && fetchNextPage()))
  }, [chart, hasNextPage, isFetching, fetchNextPage])
  useEffect(() => {
    recent.current = []
    return subscribe({
      onTrades: (trades) => {
        if (!isStreamed(figure)) return
        const ticks = trades.map((trade) => tickOf(trade, figure)).filter((tick) => tick !== undefined)
        recent.current = [...recent.current, ...ticks].slice(-RECENT_MAX)
        // Until then a candle would begin with what is not its first trade.
        if (bars.current === undefined || ticks.length === 0) return
        bars.current = withTicks(bars.current, ticks, seconds)
        chart?.draw(bars.current)
      },
      onChange: () => {
        // What is streamed from now on is not what was lost or rolled back.
        recent.current = []
        void refetch()
      },
    })
  }, [subscribe, refetch, figure, seconds, chart])
  return { count: read?.length, error: error as RegistryError | null, again: () => void refetch() }
}
