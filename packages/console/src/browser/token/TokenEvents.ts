import type { StreamEvent, TradeSeen } from "@launch-registry/client"
import { follow } from "../Registry.ts"

/** A part of the screen that follows what happens to the token. Called in a frame. */
export interface TokenListener {
  /** In the order of the chain. */
  readonly onTrades?: (trades: ReadonlyArray<TradeSeen>) => void
  /** Transactions that are not on the chain any more. */
  readonly onReverted?: (signatures: ReadonlySet<string>) => void
  /** The curve is complete or has migrated, or the pool has another creator. */
  readonly onStage?: () => void
  /** Events may be missing: what was read before has to be read again. */
  readonly onMissing?: () => void
  readonly onLive?: (isLive: boolean) => void
}

export interface TokenEvents {
  readonly subscribe: (listener: TokenListener) => () => void
  readonly stop: () => void
}

/** More than a hidden page should keep: then all is read again. */
const EVENTS_MAX = 5_000

/** Follows the stream of one token, for all parts of the screen, once a frame at most. */
export const tokenEvents = (mint: string): TokenEvents => {
  const ended = new AbortController()
  const listeners = new Set<TokenListener>()
  let waiting: Array<StreamEvent> = []
  let isMissing = false
  let isLive = false
  let frame: number | undefined

  const tell = (): void => {
    frame = undefined
    const events = waiting
    waiting = []
    const wasMissing = isMissing
    isMissing = false
    const reverted = new Set<string>()
    let trades: Array<TradeSeen> = []
    let isStage = false
    for (const { data, event } of events) {
      if (event === "revert") {
        // It can land again afterwards.
        reverted.add(data.signature)
        trades = trades.filter(({ signature }) => signature !== data.signature)
      } else if (event === "trade") trades.push(data)
      else isStage = true
    }
    for (const { onMissing, onReverted, onStage, onTrades } of listeners) {
      if (wasMissing) onMissing?.()
      if (reverted.size > 0) onReverted?.(reverted)
      if (trades.length > 0) onTrades?.(trades)
      if (isStage) onStage?.()
    }
  }
  const tellSoon = (): void => {
    frame ??= requestAnimationFrame(tell)
  }
  const onEvent = (event: StreamEvent): void => {
    if (event.event === "reset" || waiting.length >= EVENTS_MAX) {
      waiting = []
      isMissing = true
    }
    if (event.event !== "reset") waiting.push(event)
    tellSoon()
  }
  const onState = (state: boolean): void => {
    // What happened before the stream began, or while it was cut for good, is read.
    if (state && !isLive) {
      isMissing = true
      tellSoon()
    }
    isLive = state
    for (const { onLive } of listeners) onLive?.(isLive)
  }
  void follow(["trade", "graduation", "creator", "revert"], { onEvent, onState }, ended.signal, { mintAddresses: mint })
  return {
    subscribe: (listener) => {
      listeners.add(listener)
      listener.onLive?.(isLive)
      return () => void listeners.delete(listener)
    },
    stop: () => {
      ended.abort()
      if (frame !== undefined) cancelAnimationFrame(frame)
    },
  }
}
