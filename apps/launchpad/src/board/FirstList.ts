import { currentRoute } from "../routing/Route.ts"
import { type BoardList, readList } from "./BoardList.ts"
import type { BoardView } from "./BoardState.ts"
import { viewOf } from "./Views.ts"

const { path, query } = currentRoute()
const view = viewOf(query)

// Asked for while React is still being evaluated: a slow phone has its rows a third of a second sooner.
let first = path.length === 0 ? readList(view, undefined, new AbortController().signal) : undefined
// Whoever takes it hears of it.
first?.catch(() => {})

/** The list that the page was opened with, once, where it is of this view. */
export const takeFirstList = (of: BoardView): Promise<BoardList> | undefined => {
  const taken = of === view ? first : undefined
  first = undefined
  return taken
}
