import type { ReactNode } from "react"
import styles from "./Lists.module.css"

/** Where a column is left out: `mid` on the narrowest screens, `wide` on all phones. */
export type Column = readonly [name: string, shown?: "mid" | "wide"]

/** A table in a box of its own that scrolls. */
export const ListTable = ({
  after,
  children,
  columns,
  label,
}: {
  readonly label: string
  readonly columns: ReadonlyArray<Column>
  readonly children: ReactNode
  readonly after?: ReactNode
}) => (
  <div className={styles.scroll} tabIndex={0} role="region" aria-label={label}>
    <table className={styles.table}>
      <thead>
        <tr>
          {columns.map(([name, shown]) => (
            <th key={name} scope="col" className={shown && styles[shown]}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
    {after}
  </div>
)
