import type { PoolTrade, TradeSeen } from "@launch-registry/client"
import { useItems } from "@launch-registry/client/react"
import { useEffect, useRef, useState } from "react"
import type { TokenEvents } from "./TokenEvents.ts"

const PAGE = 50
/** Of the stream, in front of what was read: with more of them, it is read again. */
const SEEN_MAX = 300
/** Until the next try after a reading that failed. */
const AGAIN_MILLIS = 5_000

export type TradeRow = Pick<PoolTrade, "baseAmount" | "quoteAmount" | "side" | "signature" | "time" | "trader"> & {
  readonly price: string | null
}

/** A transaction can have several swaps, of which no two leave the same price and amounts. */
export const keyOf = ({ baseAmount, price, quoteAmount, side, signature }: TradeRow): string =>
  [signature, side, baseAmount, quoteAmount, price].join(" ")

/** Trades newest first: those of the stream, then those that were read and are not among them. */
export const withSeen = (seen: ReadonlyArray<TradeRow>, read: ReadonlyArray<TradeRow>): ReadonlyMap<string, TradeRow> =>
  new Map([...seen, ...read].map((row) => [keyOf(row), row]))

/** Trades of a token as they happen, page by page. */
export const useTrades = (mintAddress: string, { subscribe }: TokenEvents) => {
  const [seen, setSeen] = useState<ReadonlyArray<TradeSeen>>([])
  const {
    data = [],
    error,
    fetchNextPage,
    hasNextPage,
    isPending,
    refetch,
  } = useItems(({ launch }) => launch.trades, { mintAddress, limit: PAGE })
  const latest = useRef(seen)
  useEffect(() => {
    latest.current = seen
  }, [seen])
  useEffect(() => {
    let isReading = false
    // What is read then has those of before, and not what was rolled back.
    const read = async () => {
      isReading = true
      const before = new Set(latest.current)
      const { isSuccess } = await refetch()
      if (isSuccess) setSeen((now) => now.filter((trade) => !before.has(trade)))
      else await new Promise((resolve) => setTimeout(resolve, AGAIN_MILLIS))
      isReading = false
    }
    return subscribe({
      onTrades: (trades) => {
        setSeen((before) => [...trades.toReversed(), ...before])
        if (latest.current.length > SEEN_MAX && !isReading) void read()
      },
      onChange: () => void read(),
    })
  }, [subscribe, refetch])
  return {
    ...{ error, isPending, newest: seen[0], rows: withSeen(seen, data) },
    more: hasNextPage ? () => void fetchNextPage() : undefined,
    again: () => void refetch(),
  }
}
