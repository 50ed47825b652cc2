import { useEffect, useRef, useState } from "react"
import { Segments } from "../design/Segments.tsx"
import { Failed } from "../registry/Failed.tsx"
import { type CandleChart, candleChart } from "./CandleChart.ts"
import { type Figure, type Interval, intervalFor, INTERVALS } from "./Candles.ts"
import styles from "./Chart.module.css"
import type { TokenEvents } from "./TokenEvents.ts"
import { useCandles } from "./useCandles.ts"

const CHOICES = Object.keys(INTERVALS).map((one) => [one as Interval, one] as const)

/** What the candles are of. */
export interface Charted {
  readonly mint: string
  readonly symbol: string
  readonly unit: string
  readonly quoteDecimals: number
  /** Whether the registry knows what the quote token is worth in US dollars. */
  readonly hasUsd: boolean
  /** ISO times. */
  readonly launchedAt: string
  readonly graduatedAt: string | null
  readonly lastTradeAt: string | null
}

/** Candles of a token, which its trades continue. An interval without a trade has no candle. */
const Chart = ({ events, of }: { readonly of: Charted; readonly events: TokenEvents }) => {
  const { hasUsd, mint, quoteDecimals, symbol, unit } = of
  const graduatedAt = of.graduatedAt === null ? undefined : Date.parse(of.graduatedAt) / 1_000
  const [interval, setInterval] = useState(() =>
    intervalFor((Date.parse(of.lastTradeAt ?? of.launchedAt) - Date.parse(of.launchedAt)) / 1_000),
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
  const { again, count, error } = useCandles({ mintAddress: mint, figure, interval }, events, chart)
  const what = `${kind === "price" ? "Price" : "Market cap"} in ${isUsd ? "US dollars" : unit}`
  return (
    <section className={styles.chart} aria-label="Chart">
      <div className={styles.tools}>
        <Segments
          label="Figure"
          value={kind}
          options={[
            ["marketCap", "Market cap"],
            ["price", "Price"],
          ]}
          onChange={setKind}
        />
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
            {error !== null ? (
              <Failed error={error} onRetry={again} />
            ) : (
              <p role="status">
                {count === undefined ? "Reading candles" : "No trade yet. The first one draws the first candle."}
              </p>
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
