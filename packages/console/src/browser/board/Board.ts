import { useContext, useLayoutEffect, useRef, useState } from "preact/hooks"
import { html, type View } from "../Html.ts"
import { Empty, Failed, Loading, Stale } from "../States.ts"
import type { BoardView } from "./BoardState.ts"
import { BoardTable } from "./BoardTable.ts"
import { OpenedPage, takeFirst } from "./OpenedPage.ts"
import { type BoardShown, type LiveBoard, liveBoard, shownFirst } from "./LiveBoard.ts"
import { SearchResults } from "./Search.ts"

const VIEWS: ReadonlyArray<readonly [view: BoardView, name: string, empty: string]> = [
  ["new", "New", "No launch yet. The first one appears here by itself."],
  [
    "rising",
    "Rising",
    "No registered token yet. A token is registered when it is launched with a configuration built here.",
  ],
  ["progress", "About to graduate", "No curve is being filled."],
  ["graduated", "Graduated", "No curve has graduated yet."],
]

/** The view that a path names, or the first one. */
export const viewOf = (path: string): BoardView => VIEWS.find(([one]) => one === path)?.[0] ?? "new"

/** What a view shows; each has a stream of its own, so that nothing of another one is drawn. */
const ViewOf = ({
  empty,
  name,
  view,
}: {
  readonly view: BoardView
  readonly name: string
  readonly empty: string
}): View => {
  const opened = useContext(OpenedPage)
  const [shown, setShown] = useState<BoardShown>(() => shownFirst(view === "new" ? takeFirst(opened) : undefined))
  const live = useRef<LiveBoard>(undefined)
  // Not after the first frame, which would only say that it is loading.
  useLayoutEffect(() => {
    const started = liveBoard(view, shown, setShown)
    live.current = started
    return started.stop
  }, [view])
  const { board, failure, isLive, isLoading, nextCursor, readAt } = shown
  const rows = board.order.map((mint) => board.rows.get(mint)!)
  const state = html`<${Stale} ...${{ isLive, readAt, failure, isOpening: readAt === undefined }} />`
  if (rows.length === 0) {
    if (failure !== undefined) return html`<${Failed} failure=${failure} onRetry=${() => live.current?.retry()} />`
    if (isLoading) return html`<${Loading} what="Reading tokens" />`
    return html`${state}<${Empty}>${empty}<//>`
  }
  return html`${state}
    <${BoardTable} caption=${name} rows=${rows} />
    ${nextCursor === null ? null : html`<button class="more" onClick=${() => live.current?.more()}>Show more</button>`}`
}

/** The tokens of the service as they are launched, traded and graduate. */
export const Board = ({ path }: { readonly path: string }): View => {
  const [term, setTerm] = useState("")
  const search = useRef<HTMLInputElement>(null)
  // What was typed into the page before this ran.
  useLayoutEffect(() => setTerm(search.current?.value ?? ""), [])
  const [view, name, empty] = VIEWS.find(([one]) => one === path) ?? VIEWS[0]!
  const wanted = term.trim()
  return html`<div class="bar">
      <h1>Board</h1>
      <nav aria-label="Lists of tokens">
        ${VIEWS.map(
          ([one, title]) =>
            html`<a
              href=${`#/board/${one}`}
              aria-current=${one === view && wanted === "" ? "page" : undefined}
              onClick=${() => setTerm("")}
              >${title}</a
            >`,
        )}
      </nav>
      <input
        type="search"
        ref=${search}
        aria-label="Search tokens"
        placeholder="Search name, symbol, mint"
        maxlength="200"
        value=${term}
        onInput=${(event: { readonly currentTarget: HTMLInputElement }) => setTerm(event.currentTarget.value)}
      />
    </div>
    ${
      wanted === ""
        ? html`<${ViewOf} key=${view} view=${view} name=${name} empty=${empty} />`
        : html`<${SearchResults} term=${wanted} />`
    }`
}
