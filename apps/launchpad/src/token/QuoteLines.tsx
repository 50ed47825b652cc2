import type { SwapQuote } from "@launch-registry/client"
import type { ReactNode } from "react"
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
  const impact = impactText(quote.priceImpact)
  const lines: ReadonlyArray<readonly [name: string, shown: ReactNode]> = [
    ["You receive about", amount(quote.expectedAmountOut, received)],
    ["At least, else it fails", amount(quote.minimumAmountOut, received)],
    ["Price impact", quote.priceImpact < IMPACT_HIGH ? impact : <span className="down">{impact}: high</span>],
    ["Fee, part of it", amount(quote.fee, quote.feeMint === received.mint ? received : paid)],
  ]
  return (
    <dl className={`stack ${styles.quote}`} aria-busy={isOld}>
      {lines.map(([name, shown]) => (
        <div key={name} className={styles.row}>
          <dt className="muted">{name}</dt>
          <dd>{shown}</dd>
        </div>
      ))}
    </dl>
  )
}
