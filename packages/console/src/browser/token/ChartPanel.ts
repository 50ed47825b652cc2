import { useEffect, useRef, useState } from "preact/hooks"
import { html, type View } from "../Html.ts"
import { Empty, Failed, Loading } from "../States.ts"
import { type CandleChart, candleChart } from "./CandleChart.ts"
import { type Figure, type Interval, INTERVALS } from "./Candles.ts"
import { type CandleState, type LiveCandles, liveCandles } from "./LiveCandles.ts"
import type { TokenEvents } from "./TokenEvents.ts"

const FIGURES: ReadonlyArray<readonly [Figure, string]> = [
  ["price", "Price"],
  ["marketCap", "Market cap"],
]
/** Bars that the buttons go back and forth by. */
const STEP = 30

const Choice = <Value extends string>({
  choices,
  name,
  onChoose,
  value,
}: {
  readonly name: string
  readonly value: Value
  readonly choices: ReadonlyArray<readonly [Value, string]>
  readonly onChoose: (value: Value) => void
}): View =>
  html`<div class="choice" role="group" aria-label=${name}>
    ${choices.map(
      ([one, label]) =>
        html`<button type="button" aria-pressed=${one === value} onClick=${() => onChoose(one)}>${label}</button>`,
    )}
  </div>`

const NOTHING: CandleState = { isLoading: true, failure: undefined, count: 0, isOlderRead: false }

/** Candles of the token, which its trades continue. */
export const ChartPanel = ({
  events,
  mint,
  quoteDecimals,
  symbol,
  unit,
}: {
  readonly mint: string
  readonly symbol: string
  readonly unit: string
  readonly quoteDecimals: number
  readonly events: TokenEvents
}): View => {
  const [interval, setInterval] = useState<Interval>("5m")
  const [figure, setFigure] = useState<Figure>("price")
  const [state, setState] = useState(NOTHING)
  const element = useRef<HTMLDivElement>(null)
  const live = useRef<LiveCandles>(undefined)
  const chart = useRef<CandleChart>(undefined)
  useEffect(() => {
    setState(NOTHING)
    const drawn = candleChart(element.current!, quoteDecimals, () => live.current?.older())
    chart.current = drawn
    live.current = liveCandles(mint, { figure, interval }, events, drawn, setState)
    return () => {
      live.current?.stop()
      drawn.stop()
    }
  }, [mint, figure, interval, events, quoteDecimals])
  const { count, failure, isLoading } = state
  const what = FIGURES.find(([one]) => one === figure)![1]
  const cover =
    count > 0
      ? null
      : failure !== undefined
        ? html`<${Failed} failure=${failure} onRetry=${() => live.current?.retry()} />`
        : isLoading
          ? html`<${Loading} what="Reading candles" />`
          : html`<${Empty}>No trade yet. The first one draws the first candle.<//>`
  return html`<section aria-labelledby="chart">
    <div class="bar">
      <h2 id="chart">${what} in ${unit}</h2>
      <${Choice} name="Figure" value=${figure} choices=${FIGURES} onChoose=${setFigure} />
      <${Choice}
        name="Length of a candle"
        value=${interval}
        choices=${Object.keys(INTERVALS).map((one) => [one, one])}
        onChoose=${setInterval}
      />
    </div>
    ${
      failure !== undefined && count > 0
        ? html`<p class="stale" role="status">These candles may be old: ${failure.message}.</p>`
        : null
    }
    <div class=${count > 0 ? "chart" : "chart covered"}>
      <div
        class="canvas"
        ref=${element}
        role="img"
        data-candles=${count}
        aria-label=${`${count} candles of ${interval}: ${what} of ${symbol} in ${unit}. The trades are in the list.`}
      ></div>
      ${cover}
    </div>
    <div class="bar under">
      <button type="button" disabled=${count === 0} onClick=${() => chart.current?.move(-STEP)}>Earlier</button>
      <button type="button" disabled=${count === 0} onClick=${() => chart.current?.move(STEP)}>Later</button>
      <button type="button" disabled=${count === 0} onClick=${() => chart.current?.toLatest()}>Latest</button>
      <small
        >Times are UTC; an interval without a trade has no candle. Charts by${" "}
        <a href="https://www.tradingview.com/" rel="noopener noreferrer" target="_blank">TradingView</a> Lightweight
        Charts™</small
      >
    </div>
  </section>`
}
