import type { ReactNode } from "react"
import { TokenImage } from "../design/TokenImage.tsx"
import { Ago } from "../figures/Ago.tsx"
import { Change, Figure, Unknown } from "../figures/Figure.tsx"
import { formatCompact, formatDecimal, unitOf, wholeAmount } from "../figures/Format.ts"
import { hrefOf } from "../routing/Route.ts"
import { CurveBar, MarketCap } from "./BoardCard.tsx"
import type { Row } from "./Row.ts"
import styles from "./BoardTable.module.css"
import { Marks } from "./Marks.tsx"

const COLUMNS = ["Token", "Price", "Market cap", "24 h", "Volume 24 h", "Holders", "Curve", "Age"]

export const TableRow = ({ row }: { readonly row: Row }) => {
  const unit = unitOf(row.quoteMint)
  const volume =
    row.volume24h === null || row.quoteDecimals === null ? null : wholeAmount(row.volume24h, row.quoteDecimals)
  return (
    <tr className={styles.row} data-mint={row.mint}>
      <th scope="row" className={styles.token}>
        <TokenImage imageUri={row.imageUri} mint={row.mint} symbol={row.symbol} size="s" />
        {/* Its ::after covers the row. */}
        <a className={styles.link} href={hrefOf(`token/${row.mint}`)}>
          <b dir="auto">{row.symbol}</b>{" "}
          <span className="muted" dir="auto">
            {row.name}
          </span>
        </a>
        <Marks row={row} />
      </th>
      <td>
        <Figure value={row.price} format={formatDecimal} unit={unit} />
      </td>
      <td className={row.moved ?? undefined}>
        <MarketCap row={row} />
      </td>
      <td>
        <Change percent={row.change24h} />
      </td>
      <td>
        <Figure value={volume} format={formatCompact} unit={unit} />
      </td>
      <td>{row.holders ?? <Unknown />}</td>
      <td>
        <CurveBar row={row} />
      </td>
      <td>{row.launchedAt === null ? <Unknown /> : <Ago time={row.launchedAt} />}</td>
    </tr>
  )
}

/** The board as a table: more rows and figures at a glance. */
export const BoardTable = ({ caption, children }: { readonly caption: string; readonly children: ReactNode }) => (
  <div className={styles.scroll} role="region" aria-label={caption} tabIndex={0}>
    <table className={styles.table}>
      <caption className="hidden">{caption}</caption>
      <thead>
        <tr>
          {COLUMNS.map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  </div>
)
