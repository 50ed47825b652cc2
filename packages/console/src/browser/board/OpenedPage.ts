import { createContext } from "preact"
import type { FirstList } from "./FirstList.ts"

/** What the page has of the first board, until that is drawn. */
export interface Opened {
  list: FirstList | undefined
}

export const OpenedPage = createContext<Opened>({ list: undefined })

/** The list of the page, once: a board that is drawn later reads its own. */
export const takeFirst = (opened: Opened): FirstList | undefined => {
  const { list } = opened
  opened.list = undefined
  return list
}
