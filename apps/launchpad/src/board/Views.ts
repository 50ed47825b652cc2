import type { BoardView } from "./BoardState.ts"

/** Views of the board with their names; the first is shown where the URL names none. */
export const VIEWS: ReadonlyArray<readonly [BoardView, string]> = [
  ["new", "New"],
  ["rising", "Rising"],
  ["progress", "About to graduate"],
  ["graduated", "Graduated"],
]

/** The view that parameters of the URL name. */
export const viewOf = (query: URLSearchParams): BoardView =>
  VIEWS.find(([name]) => name === query.get("view"))?.[0] ?? "new"
