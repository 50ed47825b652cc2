import type { ReactNode } from "react"
import board from "../board/Board.module.css"
import { Button } from "../design/Button.tsx"
import { TokenImage } from "../design/TokenImage.tsx"
import { hrefOf } from "../routing/Route.ts"
import styles from "./TokenRows.module.css"

/** A token and three pairs of figures, that leads to the token. */
export interface TokenRow {
  readonly key: string
  readonly mint: string
  readonly symbol: string
  readonly imageUri: string | null | undefined
  readonly main: ReactNode
  readonly middle: ReactNode
  readonly end: ReactNode
}

/** Rows about tokens, or what is said where there are none. */
export const TokenRows = ({
  empty,
  label,
  more,
  rows,
}: {
  readonly label: string
  readonly rows: ReadonlyArray<TokenRow>
  readonly empty: ReactNode
  readonly more: (() => void) | undefined
}) => (
  <>
    {rows.length === 0 ? (
      <p className={board.empty}>{empty}</p>
    ) : (
      <ul className={styles.rows} aria-label={label}>
        {rows.map(({ end, imageUri, key, main, middle, mint, symbol }) => (
          <li key={key}>
            <a className={styles.row} href={hrefOf(`token/${mint}`)}>
              <TokenImage imageUri={imageUri} mint={mint} symbol={symbol} size="s" />
              <span className={styles.main}>{main}</span>
              <span className={styles.middle}>{middle}</span>
              <span className={styles.end}>{end}</span>
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
  <span>
    <span className="hidden">{name} </span>
    {children}
  </span>
)
