import type { Launch } from "@launch-registry/client"
import { useEffect, useRef, useState } from "react"
import { Segments } from "../design/Segments.tsx"
import { Unread } from "../registry/Unread.tsx"
import { type CandleChart, candleChart } from "./CandleChart.ts"
import { type Figure, type Interval, intervalFor, INTERVALS } from "./Candles.ts"
import styles from "./Chart.module.css"
import type { TokenEvents } from "./TokenEvents.ts"
import type { Units } from "./TradeList.tsx"
import { useCandles } from "./useCandles.ts"

const CHOICES = Object.keys(INTERVALS).map((one) => [one as Interval, one] as const)

const KINDS = [
  ["marketCap", "Market cap"],
  ["price", "Price"],
] as const

/** Candles of a token, which its trades continue. An interval without a trade has no candle. */
const Chart = ({
  events,
  launch,
  units: { quoteDecimals, symbol, unit },
}: {
  readonly events: TokenEvents
  readonly launch: Launch
  readonly units: Units
}) => {
  const { launchedAt, market, mintAddress } = launch
  const hasUsd = typeof market?.priceUsd === "string"
  const graduatedAt = launch.graduatedAt === null ? undefined : Date.parse(launch.graduatedAt) / 1_000
  const [interval, setInterval] = useState(() =>
    intervalFor((Date.parse(market?.lastTradeAt ?? launchedAt) - Date.parse(launchedAt)) / 1_000),
  )
  const [kind, setKind] = useState<"price" | "marketCap">("marketCap")
  const [currency, setCurrency] = useState<"quote" | "usd">("quote")
  const isUsd = hasUsd && currency === "usd"
  const figure: Figure = isUsd ? `${kind}Usd` : kind
  const element = useRef<HTMLDivElement>(null)
  const [chart, setChart] = useState<CandleChart>()
  useEffect(() => {
    const drawn = candleChart(element.current!, { interval, quoteDecimals, graduatedAt })
    setChart(drawn)
    return drawn.stop
  }, [figure, interval, quoteDecimals, graduatedAt])
  const { again, count, error } = useCandles({ mintAddress, figure, interval }, events, chart)
  const what = `${kind === "price" ? "Price" : "Market cap"} in ${isUsd ? "US dollars" : unit}`
  return (
    <section className={`surface ${styles.chart}`} aria-label="Chart">
      <div className={styles.tools}>
        <Segments label="Figure" value={kind} options={KINDS} onChange={setKind} />
        {hasUsd && (
          <Segments
            label="Currency"
            value={currency}
            options={[
              ["quote", unit],
              ["usd", "USD"],
            ]}
            onChange={setCurrency}
          />
        )}
        <Segments label="Length of a candle" value={interval} options={CHOICES} onChange={setInterval} />
      </div>
      <div className={styles.frame}>
        <div
          ref={element}
          className={styles.canvas}
          role="img"
          data-candles={count ?? 0}
          aria-label={`${count ?? 0} candles of ${interval}: ${what} of ${symbol}. The trades are in the list.`}
        />
        {!count && (
          <div className={styles.cover}>
            {count === undefined ? (
              <Unread error={error} onRetry={again}>
                Reading candles
              </Unread>
            ) : (
              <p role="status">No trade yet. The first one draws the first candle.</p>
            )}
          </div>
        )}
      </div>
      <small className="muted">
        {error !== null && !!count && `These candles may be old: ${error.message}. `}
        {what}, UTC. Charts by{" "}
        <a href="https://www.tradingview.com/" rel="noopener noreferrer" target="_blank">
          TradingView
        </a>
      </small>
    </section>
  )
}
export default Chart
