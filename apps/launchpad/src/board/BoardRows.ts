import type { StreamEvent } from "@launch-registry/client"
import type { BoardView } from "./BoardList.ts"
import { type Live, live } from "./Live.ts"
import { launched, merged, type Row, traded } from "./Row.ts"

/** Rows that a board keeps at most. */
export const ROWS_MAX = 500

/** The rows of a view in their order, each of which changes by itself. */
export interface BoardRows {
  readonly shown: Live<ReadonlyArray<Live<Row>>>
  /** Its list was read. */
  readonly list: (read: ReadonlyArray<Row>) => void
  /** Takes an event of the stream. Whether the list has to be read again, because the event says less than the list, or is of a token that may belong on it now. */
  readonly event: (event: StreamEvent) => boolean
}

export const boardRows = (view: BoardView): BoardRows => {
  const shown = live<ReadonlyArray<Live<Row>>>([])
  const rows = new Map<string, Live<Row>>()
  const show = (order: ReadonlyArray<Live<Row>>): void => {
    const kept = order.slice(0, ROWS_MAX)
    rows.clear()
    for (const row of kept) rows.set(row.get().mint, row)
    shown.set(kept)
  }
  /**
   * Lists follow the stream within seconds: a launch that was streamed stays in front until the list has it, or has later ones.
   */
  const list: BoardRows["list"] = (read) => {
    const listed = new Map(read.map((row) => [row.mint, row]))
    const newest = read[0]?.launchedAt ?? ""
    const ahead = shown.get().filter((row) => {
      const { isStreamed, launchedAt, mint } = row.get()
      return isStreamed && !listed.has(mint) && (launchedAt ?? "") >= newest
    })
    const order = Array.from(listed.values(), (row) => {
      const known = rows.get(row.mint)
      known?.set(merged(known.get(), row))
      return known ?? live(row)
    })
    const next = [...ahead, ...order]
    const before = shown.get()
    if (next.length !== before.length || next.some((row, at) => row !== before[at])) show(next)
  }
  const event: BoardRows["event"] = ({ data, event: type }) => {
    switch (type) {
      case "trade": {
        const row = rows.get(data.mintAddress)
        row?.set(traded(row.get(), data))
        return row === undefined && (view === "rising" || view === "progress")
      }
      case "token": {
        if (view !== "new") return false
        if (!rows.has(data.mintAddress)) show([live(launched(data)), ...shown.get()])
        return true
      }
      case "graduation": {
        const row = data.mintAddress === null ? undefined : rows.get(data.mintAddress)
        row?.set({ ...row.get(), stage: data.stage, progress: 1 })
        return view !== "new"
      }
      case "revert": {
        const left = shown.get().filter((row) => !data.mintAddresses.includes(row.get().mint))
        if (left.length < rows.size) show(left)
        return true
      }
      default:
        // After a reset.
        return true
    }
  }
  return { shown, list, event }
}
