import { useEffect, useState } from "react"
import { follow } from "../registry/Follow.ts"
import { telling, type TokenListener } from "./Telling.ts"

export interface TokenEvents {
  readonly isLive: boolean
  readonly subscribe: (listener: TokenListener) => () => void
}

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
    const { changed, onEvent } = telling(listeners, ended.signal)
    const onState = (isOpen: boolean): void => {
      // What happened before the stream began, or while it was cut for good, is read.
      if (isOpen) changed()
      setLive(isOpen)
    }
    const types = ["token", "trade", "graduation", "creator", "revert"]
    void follow(types, { onEvent, onState }, ended.signal, { mintAddresses: mint })
    return () => ended.abort()
  }, [mint, listeners])
  return { isLive, subscribe }
}
