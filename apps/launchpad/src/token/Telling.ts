import type { StreamEvent, TradeSeen } from "@launch-registry/client"

/** A part of the page that follows what happens to the token. */
export interface TokenListener {
  /** In the order of the chain. */
  readonly onTrades?: (trades: ReadonlyArray<TradeSeen>) => void
  /** What was read has to be read again: events may be missing, or something happened that they do not say all of. */
  readonly onChange?: () => void
}

/** Nobody reads figures that change more often, and drawing them is what a live page costs. */
const TELL_MILLIS = 250
/** Between two changes that are told: each has all parts read again, and somebody can make the token change with every transaction. */
const CHANGE_MILLIS = 2_000

/** Tells listeners of what comes by the stream, until `signal` aborts. */
export const telling = (listeners: ReadonlySet<TokenListener>, signal: AbortSignal) => {
  let trades: Array<TradeSeen> = []
  let tradesTimer: ReturnType<typeof setTimeout> | undefined
  let changeTimer: ReturnType<typeof setTimeout> | undefined
  let changeToldAt = -CHANGE_MILLIS
  signal.addEventListener("abort", () => {
    clearTimeout(tradesTimer)
    clearTimeout(changeTimer)
  })
  const tellTrades = (): void => {
    tradesTimer = undefined
    const told = trades
    trades = []
    if (told.length > 0) for (const { onTrades } of listeners) onTrades?.(told)
  }
  const tellChange = (): void => {
    changeTimer = undefined
    changeToldAt = performance.now()
    for (const { onChange } of listeners) onChange?.()
  }
  const changed = (): void => {
    const pause = Math.max(TELL_MILLIS, changeToldAt + CHANGE_MILLIS - performance.now())
    changeTimer ??= setTimeout(tellChange, pause)
  }
  return {
    changed,
    onEvent: (event: StreamEvent): void => {
      if (event.event === "revert") trades = trades.filter(({ signature }) => signature !== event.data.signature)
      if (event.event !== "trade") return changed()
      trades.push(event.data)
      tradesTimer ??= setTimeout(tellTrades, TELL_MILLIS)
    },
  }
}
