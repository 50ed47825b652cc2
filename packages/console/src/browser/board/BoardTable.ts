import { useEffect, useState } from "preact/hooks"
import { html, type View } from "../Html.ts"
import { BoardRow } from "./BoardRow.ts"
import type { Row } from "./BoardState.ts"

/** About what a screen shows: so many are drawn first, and as many more in each frame after it. */
const PORTION = 10

/** Tokens as a table; on a phone each row is a card. Roles are said because its style is not that of a table. */
export const BoardTable = ({
  caption,
  rows,
}: {
  readonly caption: string
  readonly rows: ReadonlyArray<Row>
}): View => {
  const [count, setCount] = useState(PORTION)
  const isWhole = count >= rows.length
  useEffect(() => {
    if (isWhole) return
    const frame = requestAnimationFrame(() => setCount(count + PORTION))
    return () => cancelAnimationFrame(frame)
  }, [count, isWhole])
  return html`<table class="board" role="table">
    <caption class="hidden">
      ${caption}
    </caption>
    <thead role="rowgroup">
      <tr role="row">
        ${["Token", "Price", "Market cap", "Volume 24h", "24h", "Curve", "Launched", "Mint"].map(
          (name) => html`<th scope="col" role="columnheader">${name}</th>`,
        )}
      </tr>
    </thead>
    <tbody role="rowgroup">
      ${rows.slice(0, count).map((row) => html`<${BoardRow} key=${row.mint} row=${row} />`)}
    </tbody>
  </table>`
}
