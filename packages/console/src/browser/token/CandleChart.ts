import {
  CandlestickSeries,
  type CandlestickData,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type HistogramData,
  type UTCTimestamp,
} from "lightweight-charts"
import { formatDecimal } from "../Format.ts"
import type { Bar, Interval } from "./Candles.ts"
import { type Completion, markedBar } from "./Completion.ts"
import { colourOf, onThemeChange } from "./ThemeColours.ts"
import type { CandleView } from "./LiveCandles.ts"

/** Bars on the left that are not seen yet when older ones are asked for. */
const AHEAD = 40
/** Digits of a float that mean something, behind the first one of a price. */
const STEPS = 4
const PLACES_MAX = 18

/** A figure of the drawing as people read it. */
export const formatFigure = (value: number): string => formatDecimal(value.toFixed(PLACES_MAX).replace(/\.?0+$/, ""))

/** Steps of the price scale, as one over it, for figures of this size: such as 10^12 for 0.00000002. */
const baseOf = (figure: number): number =>
  10 ** Math.min(PLACES_MAX, Math.max(2, STEPS - Math.floor(Math.log10(Math.max(figure, 1e-14)))))

export interface CandleChart extends CandleView {
  /** Towards older bars with a negative number, towards newer ones with a positive one. */
  readonly move: (bars: number) => void
  readonly toLatest: () => void
  /** Marks the bar in which the curve was completed. */
  readonly mark: (completion: Completion | undefined) => void
  readonly stop: () => void
}

/** A chart of candles and volume in an element, by TradingView's Lightweight Charts. */
export const candleChart = (
  element: HTMLElement,
  { interval, quoteDecimals }: { readonly interval: Interval; readonly quoteDecimals: number },
  onOldest: () => void,
): CandleChart => {
  const chart = createChart(element, {
    autoSize: true,
    layout: {
      // It would add a style element, which the page's policy refuses. The link to TradingView is below the chart.
      attributionLogo: false,
      background: { color: "transparent" },
    },
    localization: { priceFormatter: formatFigure },
    timeScale: { timeVisible: true, secondsVisible: false, rightOffset: 4 },
  })
  const candles = chart.addSeries(CandlestickSeries, { borderVisible: false })
  const volume = chart.addSeries(HistogramSeries, {
    ...{ priceScaleId: "volume", lastValueVisible: false, priceLineVisible: false },
    priceFormat: { type: "custom", formatter: formatFigure, minMove: 1e-9 },
  })
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.25 } })
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.82, bottom: 0 } })

  let base = 0
  const scaleTo = ({ close }: Bar): void => {
    const next = baseOf(close)
    if (next === base) return
    base = next
    candles.applyOptions({ priceFormat: { type: "custom", formatter: formatFigure, base, minMove: 1 / base } })
  }
  const wholeQuote = 10 ** quoteDecimals
  let volumeColour = ""
  const candleData = ({ close, high, low, open, time }: Bar): CandlestickData => ({
    ...{ time: time as UTCTimestamp, open, high, low, close },
  })
  const volumeData = ({ quoteVolume, time }: Bar): HistogramData => ({
    ...{ time: time as UTCTimestamp, value: Number(quoteVolume) / wholeQuote, color: volumeColour },
  })

  const applyTheme = (): void => {
    const [text, line, up, down] = ["--quiet", "--line", "--good", "--bad"].map((name) => colourOf(element, name))
    volumeColour = line!
    chart.applyOptions({
      layout: { textColor: text! },
      grid: { vertLines: { color: line! }, horzLines: { color: line! } },
      rightPriceScale: { borderColor: line! },
      timeScale: { borderColor: line! },
    })
    candles.applyOptions({ upColor: up!, wickUpColor: up!, downColor: down!, wickDownColor: down! })
    volume.applyOptions({ color: line! })
  }
  applyTheme()
  let drawn: ReadonlyArray<Bar> = []
  const markers = createSeriesMarkers(candles, [])
  let completion: Completion | undefined
  let marked = ""
  const drawMark = (): void => {
    const time = completion === undefined ? undefined : markedBar(drawn, interval, completion.at)
    const color = colourOf(element, "--accent")
    const now = `${time} ${completion?.text} ${color}`
    if (now === marked) return
    marked = now
    if (time === undefined) element.removeAttribute("data-marked")
    else element.dataset["marked"] = String(time)
    markers.setMarkers(
      time === undefined
        ? []
        : [{ time: time as UTCTimestamp, position: "aboveBar", shape: "arrowDown", color, text: completion!.text }],
    )
  }
  const draw = (bars: ReadonlyArray<Bar>): void => {
    drawn = bars
    const last = bars.at(-1)
    if (last !== undefined) scaleTo(last)
    candles.setData(bars.map(candleData))
    volume.setData(bars.map(volumeData))
    drawMark()
  }
  const stopWatching = onThemeChange(() => {
    applyTheme()
    draw(drawn)
  })
  chart.timeScale().subscribeVisibleLogicalRangeChange((range) => {
    if (range !== null && drawn.length > 0 && range.from < AHEAD) onOldest()
  })
  return {
    draw,
    update: (bars, from) => {
      drawn = bars
      for (const bar of bars.slice(from)) {
        scaleTo(bar)
        candles.update(candleData(bar))
        volume.update(volumeData(bar))
      }
      if (completion !== undefined && element.dataset["marked"] === undefined) drawMark()
    },
    mark: (next) => {
      completion = next
      drawMark()
    },
    move: (bars) => chart.timeScale().scrollToPosition(chart.timeScale().scrollPosition() + bars, false),
    toLatest: () => chart.timeScale().scrollToRealTime(),
    stop: () => {
      stopWatching()
      chart.remove()
    },
  }
}
