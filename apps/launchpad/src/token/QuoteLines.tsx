import type { SwapQuote } from "@launch-registry/client"
import { Figure } from "../figures/Figure.tsx"
import { formatDecimal, wholeAmount } from "../figures/Format.ts"
import styles from "./Swap.module.css"
import { IMPACT_HIGH, impactText } from "./SwapWords.ts"

/** Token of a side of a swap. */
export interface SideToken {
  readonly mint: string
  readonly name: string
  readonly decimals: number
}

/** What a swap gives, and what it costs. */
export const QuoteLines = ({
  isOld,
  paid,
  quote,
  received,
}: {
  readonly quote: SwapQuote
  readonly isOld: boolean
  readonly paid: SideToken
  readonly received: SideToken
}) => {
  const amount = (text: string, { decimals, name }: SideToken) => (
    <Figure value={wholeAmount(text, decimals)} format={formatDecimal} unit={name} />
  )
  const isHigh = quote.priceImpact >= IMPACT_HIGH
  return (
    <dl className={styles.quote} aria-busy={isOld}>
      <div className={`${styles.row} ${styles.received}`}>
        <dt className="muted">You receive about</dt>
        <dd>{amount(quote.expectedAmountOut, received)}</dd>
      </div>
      <div className={styles.row}>
        <dt className="muted">At least, else it fails</dt>
        <dd>{amount(quote.minimumAmountOut, received)}</dd>
      </div>
      <div className={styles.row}>
        <dt className="muted">Price impact</dt>
        <dd className={isHigh ? "down" : ""}>
          {impactText(quote.priceImpact)}
          {isHigh && ": high"}
        </dd>
      </div>
      <div className={styles.row}>
        <dt className="muted">Fee, part of it</dt>
        <dd>{amount(quote.fee, quote.feeMint === received.mint ? received : paid)}</dd>
      </div>
    </dl>
  )
}
