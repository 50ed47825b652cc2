import { TokenImage } from "../design/TokenImage.tsx"
import { Ago } from "../figures/Ago.tsx"
import { Change, Figure, Unknown } from "../figures/Figure.tsx"
import { formatBrief, formatCount, formatShare, unitOf } from "../figures/Format.ts"
import { hrefOf } from "../routing/Route.ts"
import type { Row } from "./Row.ts"
import styles from "./BoardCard.module.css"
import { LooksAlike, Verified } from "./Marks.tsx"

const STAGES: Readonly<Record<string, string>> = { completed: "Complete", migrated: "Graduated" }

/** How far a curve is, or that it is over. */
export const CurveBar = ({ row }: { readonly row: Row }) => {
  const stage = STAGES[row.stage]
  if (stage !== undefined) return <span className={styles.stage}>{stage}</span>
  if (row.progress === null) return <Unknown />
  const share = formatShare(row.progress)
  return (
    <span className={styles.curve}>
      <progress className={styles.bar} max={1} value={row.progress} aria-label={`Curve of ${row.symbol}`} />
      <span>{share}</span>
    </span>
  )
}

export const MarketCap = ({ row }: { readonly row: Row }) =>
  row.marketCapUsd === null ? (
    <Figure value={row.marketCap} format={formatBrief} unit={unitOf(row.quoteMint)} />
  ) : (
    <Figure value={row.marketCapUsd} format={formatBrief} unit="$" />
  )

/** A token of the board. Its market cap has the colour of its last move. */
export const BoardCard = ({ row }: { readonly row: Row }) => (
  <a className={styles.card} href={hrefOf(`token/${row.mint}`)} data-mint={row.mint}>
    <TokenImage imageUri={row.imageUri} mint={row.mint} symbol={row.symbol} />
    <span className={styles.symbol}>
      <b dir="auto">{row.symbol}</b>
      {row.verified && <Verified />}
    </span>
    <span className={styles.change}>
      <Change percent={row.change24h} />
    </span>
    <span className={styles.name} dir="auto">
      {row.name}
    </span>
    <span className={styles.figures}>
      <b className={row.moved ?? undefined}>
        <span className="hidden">Market cap </span>
        <MarketCap row={row} />
      </b>
      <span className={styles.small}>
        {row.holders !== null && formatCount(row.holders, "holder")}
        {row.launchedAt !== null && <Ago time={row.launchedAt} />}
      </span>
    </span>
    <span className={styles.foot}>
      <CurveBar row={row} />
      {row.confusable > 0 && <LooksAlike />}
    </span>
  </a>
)
