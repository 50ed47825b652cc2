import type { ReactNode } from "react"
import board from "../board/Board.module.css"
import { Button } from "../design/Button.tsx"
import { TokenImage } from "../design/TokenImage.tsx"
import { hrefOf } from "../routing/Route.ts"
import styles from "./TokenRows.module.css"

/** What stands above each other. */
type Pair = readonly [above: ReactNode, below: ReactNode]

/** A token and three pairs of figures, that leads to the token. */
export interface TokenRow {
  readonly key: string
  readonly mint: string
  readonly symbol: string
  readonly imageUri: string | null | undefined
  readonly main: Pair
  readonly middle: Pair
  readonly end: Pair
}

const Stacked = ({ className, of: [above, below] }: { readonly of: Pair; readonly className?: string | undefined }) => (
  <span className={className}>
    <span>{above}</span>
    <span>{below}</span>
  </span>
)

/** Rows about tokens, or what is said where there are none. */
export const TokenRows = ({
  empty,
  label,
  more,
  rows,
}: {
  readonly label: string
  readonly rows: ReadonlyArray<TokenRow>
  readonly empty: string
  readonly more: (() => void) | undefined
}) => (
  <>
    {rows.length === 0 ? (
      <p className="empty">
        {empty} <a href={hrefOf("")}>See what is new</a>
      </p>
    ) : (
      <ul className={`surface ${styles.rows}`} aria-label={label}>
        {rows.map(({ end, imageUri, key, main, middle, mint, symbol }) => (
          <li key={key}>
            <a className={styles.row} href={hrefOf(`token/${mint}`)}>
              <TokenImage imageUri={imageUri} mint={mint} symbol={symbol} size="s" />
              <Stacked of={main} />
              <Stacked of={middle} className={styles.middle} />
              <Stacked of={end} className={styles.end} />
            </a>
          </li>
        ))}
      </ul>
    )}
    {more !== undefined && (
      <p className={board.more}>
        <Button onClick={more}>Show more</Button>
      </p>
    )}
  </>
)

/** A figure with the name that only screen readers need. */
export const Named = ({ children, name }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <span className="hidden">{name} </span>
    {children}
  </>
)
