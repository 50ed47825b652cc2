import { memo } from "react"
import { TokenImage } from "../design/TokenImage.tsx"
import { Ago } from "../figures/Ago.tsx"
import { Change, Figure, Unknown } from "../figures/Figure.tsx"
import { formatCompact, formatDecimal, unitOf, wholeAmount } from "../figures/Format.ts"
import { hrefOf } from "../routing/Route.ts"
import { CurveBar, MarketCap } from "./BoardCard.tsx"
import type { Row } from "./BoardState.ts"
import styles from "./BoardTable.module.css"
import { Marks } from "./Marks.tsx"

const TableRow = memo(({ row }: { readonly row: Row }) => {
  const unit = unitOf(row.quoteMint)
  const volume =
    row.volume24h === null || row.quoteDecimals === null ? null : wholeAmount(row.volume24h, row.quoteDecimals)
  return (
    <tr className={styles.row} data-mint={row.mint}>
      <th scope="row">
        <span className={styles.token}>
          <TokenImage imageUri={row.imageUri} mint={row.mint} symbol={row.symbol} size="s" />
          {/* Its ::after covers the row. */}
          <a className={styles.link} href={hrefOf(`token/${row.mint}`)}>
            <b dir="auto">{row.symbol}</b>{" "}
            <span className="muted" dir="auto">
              {row.name}
            </span>
          </a>
          <Marks row={row} />
        </span>
      </th>
      <td>
        <Figure value={row.price} format={formatDecimal} unit={unit} />
      </td>
      <td>
        <MarketCap row={row} />
      </td>
      <td>
        <Change percent={row.change24h} />
      </td>
      <td>
        <Figure value={volume} format={formatCompact} unit={unit} />
      </td>
      <td>{row.holders ?? <Unknown />}</td>
      <td className={styles.curve}>
        <CurveBar row={row} />
      </td>
      <td>{row.launchedAt === null ? <Unknown /> : <Ago time={row.launchedAt} />}</td>
    </tr>
  )
})

/** The board as a table: more rows and figures at a glance. */
export const BoardTable = ({ caption, rows }: { readonly caption: string; readonly rows: ReadonlyArray<Row> }) => (
  <div className={styles.scroll} role="region" aria-label={caption} tabIndex={0}>
    <table className={styles.table}>
      <caption className="hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Token</th>
          <th scope="col">Price</th>
          <th scope="col">Market cap</th>
          <th scope="col">24 h</th>
          <th scope="col">Volume 24 h</th>
          <th scope="col">Holders</th>
          <th scope="col">Curve</th>
          <th scope="col">Age</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <TableRow key={row.mint} row={row} />
        ))}
      </tbody>
    </table>
  </div>
)
