import type { Market } from "@launch-registry/client"
import type { ReactNode } from "react"
import { Change, Figure, Unknown } from "../figures/Figure.tsx"
import { formatBrief, formatCompact, formatCount, formatDecimal, wholeAmount } from "../figures/Format.ts"
import styles from "./Panels.module.css"

const Named = ({ children, name }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** In US dollars where they are known, with the quote token below. */
const Valued = ({
  format,
  unit,
  usd,
  value,
}: {
  readonly value: string | null
  readonly usd: string | null
  readonly unit: string
  readonly format: (text: string) => string
}) =>
  usd === null ? (
    <Figure value={value} format={format} unit={unit} />
  ) : (
    <>
      <Figure value={usd} format={format} unit="$" />
      <small className="muted">
        <Figure value={value} format={format} unit={unit} />
      </small>
    </>
  )

const DAY_MILLIS = 86_400_000

/** What a token is worth, and how much of it is traded. */
export const Figures = ({
  launchedAt,
  market,
  unit,
}: {
  readonly market: Market
  readonly unit: string
  readonly launchedAt: string
}) => {
  const { holders, quoteDecimals } = market
  const volume = quoteDecimals === null ? null : wholeAmount(market.quoteVolume24h, quoteDecimals)
  return (
    <dl className={`surface ${styles.figures}`}>
      <Named name="Price">
        <Valued value={market.price} usd={market.priceUsd} unit={unit} format={formatDecimal} />
      </Named>
      <Named name="Market cap">
        <Valued value={market.marketCap} usd={market.marketCapUsd} unit={unit} format={formatBrief} />
      </Named>
      <Named name={Date.now() - Date.parse(launchedAt) < DAY_MILLIS ? "Since launch" : "24 hours"}>
        <Change percent={market.priceChange24h} />
      </Named>
      <Named name="Volume 24 h">
        <Figure value={volume} format={formatBrief} unit={unit} />
        <small className="muted">{formatCount(market.trades24h, "trade")}</small>
      </Named>
      <Named name="Liquidity">
        <Valued value={market.liquidity} usd={market.liquidityUsd} unit={unit} format={formatBrief} />
      </Named>
      <Named name="Holders">
        {holders === null ? <Unknown /> : `${formatCompact(String(holders.count))}${holders.isWhole ? "" : "+"}`}
      </Named>
    </dl>
  )
}
