import type { StreamEvent, TradeSeen } from "@launch-registry/client"
import { useEffect, useState } from "react"
import { follow } from "../registry/Follow.ts"

/** A part of the page that follows what happens to the token. */
export interface TokenListener {
  /** In the order of the chain. */
  readonly onTrades?: (trades: ReadonlyArray<TradeSeen>) => void
  /** What was read has to be read again: events may be missing, or something happened that they do not say all of. */
  readonly onChange?: () => void
}

export interface TokenEvents {
  readonly isLive: boolean
  readonly subscribe: (listener: TokenListener) => () => void
}

/** Nobody reads figures that change more often, and drawing them is what a live page costs. */
const TELL_MILLIS = 250

/** Follows the stream of one token, for all parts of its page together. */
export const useTokenEvents = (mint: string): TokenEvents => {
  const [isLive, setLive] = useState(false)
  const [listeners] = useState(() => new Set<TokenListener>())
  const [subscribe] = useState(() => (listener: TokenListener) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  })
  useEffect(() => {
    const ended = new AbortController()
    let trades: Array<TradeSeen> = []
    let hasChanged = false
    let timer: ReturnType<typeof setTimeout> | undefined
    const tell = (): void => {
      timer = undefined
      const [told, wasChanged] = [trades, hasChanged]
      trades = []
      hasChanged = false
      for (const { onChange, onTrades } of listeners) {
        if (wasChanged) onChange?.()
        if (told.length > 0) onTrades?.(told)
      }
    }
    const onEvent = (event: StreamEvent): void => {
      if (event.event === "trade") trades.push(event.data)
      else hasChanged = true
      if (event.event === "revert") trades = trades.filter(({ signature }) => signature !== event.data.signature)
      timer ??= setTimeout(tell, TELL_MILLIS)
    }
    const onState = (isOpen: boolean): void => {
      // What happened before the stream began, or while it was cut for good, is read.
      hasChanged ||= isOpen
      timer ??= setTimeout(tell, TELL_MILLIS)
      setLive(isOpen)
    }
    const types = ["token", "trade", "graduation", "creator", "revert"]
    void follow(types, { onEvent, onState }, ended.signal, { mintAddresses: mint })
    return () => {
      ended.abort()
      clearTimeout(timer)
    }
  }, [mint, listeners])
  return { isLive, subscribe }
}
