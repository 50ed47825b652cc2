import {
  CandlestickSeries,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  type UTCTimestamp,
} from "lightweight-charts"
import { formatDecimal } from "../figures/Format.ts"
import { type Bar, drawnBar, type Interval, markedBar } from "./Candles.ts"

/** A few bars are not drawn wider than so many would be. */
const SLOTS_MIN = 30
/** So many before the first one in sight, those before it are read. */
const START_BARS = 20
/** Digits of a float that mean something, behind the first one of a price. */
const STEPS = 4
const PLACES_MAX = 18

/** A figure of the drawing as people read it. The scale goes below zero to have room for the volume: no price is there. */
export const formatFigure = (value: number): string =>
  value < 0 ? "" : formatDecimal(value.toFixed(PLACES_MAX).replace(/\.?0+$/, ""))

/** Steps of the price scale, as one over it, for figures of this size: such as 10^12 for 0.00000002. */
const baseOf = (figure: number): number =>
  10 ** Math.min(PLACES_MAX, Math.max(2, STEPS - Math.floor(Math.log10(Math.max(figure, 1e-14)))))

/** A colour of the page's theme, as it is in the theme of now. */
const colour = (name: string): string => {
  const probe = document.createElement("span")
  probe.style.color = `var(${name})`
  document.body.append(probe)
  const { color } = getComputedStyle(probe)
  probe.remove()
  return color
}

/** Calls back when the theme of the page changes, by choice or with the system. */
const onThemeChange = (changed: () => void): (() => void) => {
  const observer = new MutationObserver(changed)
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] })
  const system = matchMedia("(prefers-color-scheme: light)")
  system.addEventListener("change", changed)
  return () => {
    observer.disconnect()
    system.removeEventListener("change", changed)
  }
}

export interface CandleChart {
  readonly draw: (bars: ReadonlyArray<Bar>) => void
  /** What is called from now on when the first bars come into sight, or are. */
  readonly onStart: (reached: () => void) => void
  readonly stop: () => void
}

/** A chart of candles and volume in an element, by TradingView's Lightweight Charts. `graduatedAt`: Unix seconds of the migration, which is marked. */
export const candleChart = (
  element: HTMLElement,
  {
    graduatedAt,
    interval,
    quoteDecimals,
  }: { readonly interval: Interval; readonly quoteDecimals: number; readonly graduatedAt: number | undefined },
): CandleChart => {
  const chart = createChart(element, {
    autoSize: true,
    // The attribution would add a style element, which the page's policy refuses. The link to TradingView is below the chart.
    layout: { attributionLogo: false, background: { color: "transparent" } },
    localization: { priceFormatter: formatFigure },
    timeScale: { timeVisible: true, secondsVisible: interval.endsWith("s"), rightOffset: 3, borderVisible: false },
    rightPriceScale: { borderVisible: false },
  })
  const candles = chart.addSeries(CandlestickSeries, { borderVisible: false })
  const volume = chart.addSeries(HistogramSeries, {
    ...{ priceScaleId: "volume", lastValueVisible: false, priceLineVisible: false },
    priceFormat: { type: "custom", formatter: formatFigure, minMove: 1e-9 },
  })
  candles.priceScale().applyOptions({ scaleMargins: { top: 0.08, bottom: 0.22 } })
  volume.priceScale().applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
  const markers = createSeriesMarkers(candles, [])

  let drawn: ReadonlyArray<Bar> = []
  let base = 0
  let marked: number | undefined
  let reached = () => {}
  let isStopped = false
  const wholeQuote = 10 ** quoteDecimals
  const colours = { up: "", down: "", accent: "" }

  const scaleTo = (close: number): void => {
    const next = baseOf(close)
    if (next === base) return
    base = next
    candles.applyOptions({ priceFormat: { type: "custom", formatter: formatFigure, base, minMove: 1 / base } })
  }
  const pointsOf = (index: number) => {
    const { close, high, low, open, quoteVolume, time } = drawnBar(drawn, index)
    const at = time as UTCTimestamp
    return {
      candle: { time: at, open, high, low, close },
      volume: { time: at, value: Number(quoteVolume) / wholeQuote, color: close < open ? colours.down : colours.up },
    }
  }
  const mark = (): void => {
    const time = graduatedAt === undefined ? undefined : markedBar(drawn, interval, graduatedAt)
    if (time === undefined || time === marked) return
    marked = time
    const text = "Graduated"
    markers.setMarkers([
      { time: time as UTCTimestamp, position: "aboveBar", shape: "arrowDown", color: colours.accent, text },
    ])
  }
  const applyTheme = (): void => {
    const [line, up, down] = ["--line", "--up", "--down"].map(colour)
    Object.assign(colours, { up: colour("--up-soft"), down: colour("--down-soft"), accent: colour("--accent") })
    chart.applyOptions({
      layout: { textColor: colour("--muted") },
      grid: { vertLines: { visible: false }, horzLines: { color: line! } },
    })
    candles.applyOptions({ upColor: up!, wickUpColor: up!, downColor: down!, wickDownColor: down! })
    marked = undefined
  }
  const draw = (bars: ReadonlyArray<Bar>): void => {
    // The page draws once more before it has the chart of another interval.
    if (isStopped) return
    const wasEmpty = drawn.length === 0
    drawn = bars
    const last = bars.at(-1)
    if (last !== undefined) scaleTo(last.close)
    const points = bars.map((_, index) => pointsOf(index))
    candles.setData(points.map(({ candle }) => candle))
    volume.setData(points.map((point) => point.volume))
    mark()
    if (!wasEmpty || last === undefined) return
    const slots = Math.max(SLOTS_MIN, Math.min(bars.length, element.clientWidth / 6))
    chart.timeScale().setVisibleLogicalRange({ from: bars.length - slots, to: bars.length + 2 })
  }
  const look = (): void => {
    const range = isStopped ? null : chart.timeScale().getVisibleLogicalRange()
    if (range !== null && range.from < START_BARS && drawn.length > 0) reached()
  }
  chart.timeScale().subscribeVisibleLogicalRangeChange(look)
  applyTheme()
  const stopWatching = onThemeChange(() => {
    applyTheme()
    draw(drawn)
  })
  return {
    draw,
    onStart: (call) => {
      reached = call
      look()
    },
    stop: () => {
      isStopped = true
      stopWatching()
      chart.remove()
    },
  }
}
