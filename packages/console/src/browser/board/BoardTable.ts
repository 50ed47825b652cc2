import { html, type View } from "../Html.ts"
import { BoardRow } from "./BoardRow.ts"
import type { Row } from "./BoardState.ts"

/** Tokens as a table; on a phone each row is a card. */
export const BoardTable = ({ caption, rows }: { readonly caption: string; readonly rows: ReadonlyArray<Row> }): View =>
  html`<table class="board">
    <caption class="hidden">
      ${caption}
    </caption>
    <thead>
      <tr>
        ${["Token", "Price", "Market cap", "Volume 24h", "24h", "Curve", "Launched", "Mint"].map(
          (name) => html`<th scope="col">${name}</th>`,
        )}
      </tr>
    </thead>
    <tbody>
      ${rows.map((row) => html`<${BoardRow} key=${row.mint} row=${row} />`)}
    </tbody>
  </table>`
