import { brand } from "../../brand.ts"
import { Button } from "../design/Button.tsx"
import { Segments } from "../design/Segments.tsx"
import { Failed } from "../registry/Failed.tsx"
import { changeQuery, useRoute } from "../routing/Route.ts"
import { BoardCard } from "./BoardCard.tsx"
import type { BoardView, Row } from "./BoardState.ts"
import { BoardTable } from "./BoardTable.tsx"
import styles from "./Board.module.css"
import { useBoard } from "./useBoard.ts"

const VIEWS: ReadonlyArray<readonly [BoardView, string]> = [
  ["new", "New"],
  ["rising", "Rising"],
  ["progress", "About to graduate"],
  ["graduated", "Graduated"],
]

const EMPTY: Readonly<Record<BoardView, string>> = {
  new: "Nothing has been launched yet. Yours would be the first.",
  rising: "No token was traded in the last day.",
  progress: "No curve is under way.",
  graduated: "No token has graduated yet.",
}

/** More than the first screen has: what follows them must not move into sight and out of it. */
const PLACEHOLDERS = 24

export const Rows = ({
  as,
  caption,
  rows,
}: {
  readonly as: string
  readonly caption: string
  readonly rows: ReadonlyArray<Row>
}) =>
  as === "table" ? (
    <BoardTable caption={caption} rows={rows} />
  ) : (
    <ul className={styles.cards} aria-label={caption}>
      {rows.map((row) => (
        <li key={row.mint}>
          <BoardCard row={row} />
        </li>
      ))}
    </ul>
  )

/** All launches, live. View and form are parameters of the URL. */
export const Board = () => {
  const { query } = useRoute()
  const view = VIEWS.find(([name]) => name === query.get("view"))?.[0] ?? "new"
  const as = query.get("as") === "table" ? "table" : "cards"
  const { more, retry, shown } = useBoard(view)
  const rows = shown.board.order.map((mint) => shown.board.rows.get(mint)!)
  return (
    <>
      <header className={styles.head}>
        <h1>{brand.claim}</h1>
        <p className="muted" role="status">
          {shown.isLive ? <span className={styles.live}>Live</span> : shown.isLoading ? "Loading" : "Connecting"}
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
          options={[
            ["cards", "Cards"],
            ["table", "Table"],
          ]}
          value={as}
          onChange={(chosen) => changeQuery({ as: chosen === "cards" ? undefined : chosen })}
        />
      </div>
      {shown.failure !== undefined && <Failed error={shown.failure} onRetry={retry} />}
      {shown.isLoading && rows.length === 0 ? (
        <div className={styles.cards} aria-hidden="true">
          {Array.from({ length: PLACEHOLDERS }, (_, index) => (
            <div key={index} className={styles.placeholder} />
          ))}
        </div>
      ) : rows.length === 0 && shown.failure === undefined ? (
        <p className="empty">{EMPTY[view]}</p>
      ) : (
        <Rows as={as} caption={VIEWS.find(([name]) => name === view)![1]} rows={rows} />
      )}
      {shown.nextCursor !== null && (
        <p className={styles.more}>
          <Button onClick={more}>Show more</Button>
        </p>
      )}
    </>
  )
}
