import { type BoardList, readList } from "./BoardList.ts"
import type { BoardView } from "./BoardState.ts"

/** A page is drawn without a list that takes longer, and says that it is loading. */
const WAIT_MILLIS = 500

/** The list that the page was opened with. */
export interface FirstList {
  readonly view: BoardView
  readonly reading: Promise<BoardList>
  /** Undefined while it is being read, and where that failed. */
  readonly list: BoardList | undefined
}

let first: FirstList | undefined

/** Reads a list before anything is drawn: drawing a page twice takes longer than its list. Never fails. */
export const readFirst = async (view: BoardView): Promise<void> => {
  const reading = readList(view)
  first = { view, reading, list: undefined }
  const read = reading.then(
    (list) => {
      if (first !== undefined) first = { ...first, list }
    },
    // Whoever takes it is told.
    () => {},
  )
  await Promise.race([read, new Promise((resolve) => setTimeout(resolve, WAIT_MILLIS))])
}

/** What was read, or is being read, once. */
export const takeFirst = (view: BoardView): FirstList | undefined => {
  const taken = first
  first = undefined
  return taken?.view === view ? taken : undefined
}
