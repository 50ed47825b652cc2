import { memo, useDeferredValue, useEffect, useRef, useState } from "react"
import { brand } from "../../brand.ts"
import { Button } from "../design/Button.tsx"
import { Segments } from "../design/Segments.tsx"
import { Failed } from "../registry/Failed.tsx"
import { changeQuery, useRoute } from "../routing/Route.ts"
import { BoardCard } from "./BoardCard.tsx"
import type { BoardView } from "./BoardList.ts"
import { BoardTable, TableRow } from "./BoardTable.tsx"
import styles from "./Board.module.css"
import { type Live, useLive } from "./Live.ts"
import type { Row } from "./Row.ts"
import { useBoard } from "./useBoard.ts"

const VIEWS: ReadonlyArray<readonly [BoardView, string]> = [
  ["new", "New"],
  ["rising", "Rising"],
  ["progress", "About to graduate"],
  ["graduated", "Graduated"],
]

const FORMS = [
  ["cards", "Cards"],
  ["table", "Table"],
] as const

const EMPTY: Readonly<Record<BoardView, string>> = {
  new: "Nothing has been launched yet. Yours would be the first.",
  rising: "No token was traded in the last day.",
  progress: "No curve is under way.",
  graduated: "No token has graduated yet.",
}

/** More than the first screen has: what follows them must not move into sight and out of it. */
const FIRST_ROWS = 24

/** Rows that are in sight or out of it together: whole lines, however many cards a line has. */
const GROUP = 12

const LiveRow = memo(
  ({ as, isSeen, row }: { readonly as: string; readonly isSeen: boolean; readonly row: Live<Row> }) => {
    const shown = useLive(row, isSeen)
    if (as === "table") return <TableRow row={shown} />
    return (
      <li>
        <BoardCard row={shown} />
      </li>
    )
  },
)

/** Rows that follow their trades while they are in sight. */
const Group = ({ as, rows }: { readonly as: string; readonly rows: ReadonlyArray<Live<Row>> }) => {
  const ref = useRef<never>(null)
  const [isSeen, setSeen] = useState(true)
  useEffect(() => {
    const observer = new IntersectionObserver((entries) => setSeen(entries.at(-1)!.isIntersecting))
    observer.observe(ref.current!)
    return () => observer.disconnect()
  }, [])
  const drawn = rows.map((row) => <LiveRow key={row.get().mint} as={as} isSeen={isSeen} row={row} />)
  return as === "table" ? (
    <tbody ref={ref}>{drawn}</tbody>
  ) : (
    <ul ref={ref} className={styles.cards}>
      {drawn}
    </ul>
  )
}

export const Rows = ({
  as,
  caption,
  rows,
}: {
  readonly as: string
  readonly caption: string
  readonly rows: ReadonlyArray<Live<Row>>
}) => {
  // The first screen first.
  const most = useDeferredValue(Infinity, FIRST_ROWS)
  const groups = Array.from({ length: Math.ceil(Math.min(rows.length, most) / GROUP) }, (_, at) => (
    <Group key={at} as={as} rows={rows.slice(at * GROUP, (at + 1) * GROUP)} />
  ))
  return as === "table" ? (
    <BoardTable caption={caption}>{groups}</BoardTable>
  ) : (
    <section className={styles.groups} aria-label={caption}>
      {groups}
    </section>
  )
}

/** All launches, live. View and form are parameters of the URL. */
export const Board = () => {
  const { query } = useRoute()
  const [view, caption] = VIEWS.find(([name]) => name === query.get("view")) ?? VIEWS[0]!
  const as = query.get("as") === "table" ? "table" : "cards"
  const { error, hasNextPage, isLive, isPending, more, retry, rows } = useBoard(view)
  return (
    <>
      <header className={styles.head}>
        <h1>{brand.claim}</h1>
        <p className="muted" role="status">
          {isLive ? <span className={styles.live}>Live</span> : isPending ? "Loading" : "Connecting"}
        </p>
      </header>
      <div className={styles.tools}>
        <Segments
          label="View"
          options={VIEWS}
          value={view}
          onChange={(chosen) => changeQuery({ view: chosen === "new" ? undefined : chosen })}
        />
        <Segments
          label="Form"
          options={FORMS}
          value={as}
          onChange={(chosen) => changeQuery({ as: chosen === "cards" ? undefined : chosen })}
        />
      </div>
      {error !== null && <Failed error={error} onRetry={retry} />}
      {rows.length > 0 ? (
        <Rows as={as} caption={caption} rows={rows} />
      ) : isPending ? (
        <div className={styles.cards} aria-hidden="true">
          {Array.from({ length: FIRST_ROWS }, (_, index) => (
            <div key={index} className={styles.placeholder} />
          ))}
        </div>
      ) : (
        error === null && <p className="empty">{EMPTY[view]}</p>
      )}
      {hasNextPage && (
        <p className={styles.more}>
          <Button onClick={more}>Show more</Button>
        </p>
      )}
    </>
  )
}
