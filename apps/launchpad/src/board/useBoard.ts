import { useEffect, useRef, useState } from "react"
import type { BoardView } from "./BoardState.ts"
import { type BoardShown, type LiveBoard, liveBoard, NOTHING_SHOWN } from "./LiveBoard.ts"

/** A view of the board as it changes, with what reads more of it or reads it again. */
export const useBoard = (view: BoardView) => {
  const [shown, setShown] = useState<BoardShown>(NOTHING_SHOWN)
  const live = useRef<LiveBoard>(undefined)
  useEffect(() => {
    setShown(NOTHING_SHOWN)
    const board = liveBoard(view, setShown)
    live.current = board
    return () => board.stop()
  }, [view])
  return { shown, more: () => live.current?.more(), retry: () => live.current?.retry() }
}
