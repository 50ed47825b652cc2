import { useEffect, useRef, useState } from "preact/hooks"
import { Ago } from "../Ago.ts"
import { html, type View } from "../Html.ts"
import { Empty, Failed, Loading } from "../States.ts"
import { type CandleChart, candleChart } from "./CandleChart.ts"
import { type Figure, type Interval, INTERVALS } from "./Candles.ts"
import { type CandleState, type LiveCandles, liveCandles } from "./LiveCandles.ts"
import type { Completion } from "./Completion.ts"
import type { TokenEvents } from "./TokenEvents.ts"

const FIGURES: ReadonlyArray<readonly ["price" | "marketCap", string]> = [
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
  completion,
  events,
  hasUsd,
  mint,
  quoteDecimals,
  symbol,
  unit,
}: {
  readonly mint: string
  readonly symbol: string
  readonly unit: string
  readonly quoteDecimals: number
  /** Whether the service knows what the quote token is worth in US dollars. */
  readonly hasUsd: boolean
  readonly completion: Completion | undefined
  readonly events: TokenEvents
}): View => {
  const [interval, setInterval] = useState<Interval>("5m")
  const [chosen, setChosen] = useState<"price" | "marketCap">("price")
  const [currency, setCurrency] = useState<"quote" | "usd">("quote")
  const isUsd = hasUsd && currency === "usd"
  const figure: Figure = isUsd ? `${chosen}Usd` : chosen
  const shownUnit = isUsd ? "US dollars" : unit
  const [state, setState] = useState(NOTHING)
  const element = useRef<HTMLDivElement>(null)
  const live = useRef<LiveCandles>(undefined)
  const chart = useRef<CandleChart>(undefined)
  useEffect(() => {
    setState(NOTHING)
    const drawn = candleChart(element.current!, { interval, quoteDecimals }, () => live.current?.older())
    chart.current = drawn
    live.current = liveCandles(mint, { figure, interval }, events, drawn, setState)
    return () => {
      live.current?.stop()
      drawn.stop()
    }
  }, [mint, figure, interval, events, quoteDecimals])
  const at = completion?.at
  const mark = completion?.text
  useEffect(() => chart.current?.mark(completion), [at, mark, mint, figure, interval, events, quoteDecimals])
  const { count, failure, isLoading } = state
  const what = FIGURES.find(([one]) => one === chosen)![1]
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
      <h2 id="chart">${what} in ${shownUnit}</h2>
      <${Choice} name="Figure" value=${chosen} choices=${FIGURES} onChoose=${setChosen} />
      ${
        hasUsd
          ? html`<${Choice}
              name="Currency"
              value=${currency}
              choices=${[
                ["quote", unit],
                ["usd", "USD"],
              ]}
              onChoose=${setCurrency}
            />`
          : null
      }
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
        aria-label=${`${count} candles of ${interval}: ${what} of ${symbol} in ${shownUnit}. The trades are in the list.`}
      ></div>
      ${cover}
    </div>
    ${
      completion === undefined
        ? null
        : html`<p class="detail completion">
            ▼ ${completion.text}${" "}<${Ago} time=${new Date(completion.at * 1_000).toISOString()} />
            ${completion.isGraduated ? ": trades before were on the curve, later ones are in that pool." : "."}
          </p>`
    }
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
