import { memo } from "react"
import { Button } from "../design/Button.tsx"
import { Ago } from "../figures/Ago.tsx"
import { Figure } from "../figures/Figure.tsx"
import { formatBrief, formatDecimal, wholeAmount } from "../figures/Format.ts"
import { Unread } from "../registry/Unread.tsx"
import { explorerOf } from "./Explorer.ts"
import styles from "./Lists.module.css"
import type { TradeRow, useTrades } from "./useTrades.ts"
import { Who } from "./Who.tsx"

/** What amounts of a token are in. */
export interface Units {
  readonly unit: string
  readonly symbol: string
  readonly decimals: number
  readonly quoteDecimals: number
  readonly creator: string | undefined
}

/** A trade never changes: its row is drawn once. */
const TradeLine = memo(
  ({ row, units }: { readonly row: TradeRow; readonly units: Units }) => {
    const { creator, decimals, quoteDecimals, symbol, unit } = units
    const isBuy = row.side === "BUY"
    const href = explorerOf("tx", row.signature)
    return (
      <tr data-signature={row.signature}>
        <td className="muted">
          {href === undefined ? (
            <Ago time={row.time} />
          ) : (
            <a href={href} title="Transaction in the explorer" rel="noopener noreferrer" target="_blank">
              <Ago time={row.time} /> ↗
            </a>
          )}
        </td>
        <td className={isBuy ? "up" : "down"}>
          <b>{isBuy ? "Buy" : "Sell"}</b>
        </td>
        <td>
          <Figure value={wholeAmount(row.quoteAmount, quoteDecimals)} format={formatBrief} unit={unit} />
        </td>
        <td className={styles.mid}>
          <Figure value={wholeAmount(row.baseAmount, decimals)} format={formatBrief} unit={symbol} />
        </td>
        <td className={styles.wide}>
          <Figure value={row.price} format={formatDecimal} />
        </td>
        <td>
          <Who address={row.trader} creator={creator} />
        </td>
      </tr>
    )
  },
  (before, after) => before.row.signature === after.row.signature && before.units === after.units,
)

/** Trades as they happen, newest first. */
export const TradeList = ({
  trades,
  units,
}: {
  readonly trades: ReturnType<typeof useTrades>
  readonly units: Units
}) => {
  const { again, error, isPending, more, rows } = trades
  if (rows.size === 0 && (isPending || error !== null))
    return (
      <Unread error={error} onRetry={again}>
        Reading trades
      </Unread>
    )
  if (rows.size === 0) return <p className="empty">No trade yet. The first one appears here by itself.</p>
  return (
    <div className={styles.scroll} tabIndex={0} role="region" aria-label="Trades">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Side</th>
            <th scope="col">{units.unit}</th>
            <th scope="col" className={styles.mid}>
              Tokens
            </th>
            <th scope="col" className={styles.wide}>
              Price
            </th>
            <th scope="col">Wallet</th>
          </tr>
        </thead>
        <tbody>
          {[...rows].map(([key, row]) => (
            <TradeLine key={key} row={row} units={units} />
          ))}
        </tbody>
      </table>
      {more !== undefined && (
        <Button isWide look="quiet" onClick={more}>
          Show older
        </Button>
      )}
    </div>
  )
}
