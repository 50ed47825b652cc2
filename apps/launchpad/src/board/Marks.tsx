import type { Row } from "./Row.ts"
import styles from "./Marks.module.css"

export const Verified = () => (
  <span className={styles.verified} title="Verified by the operators of this registry">
    ✓<span className="hidden"> verified</span>
  </span>
)

export const LooksAlike = () => (
  <span
    className={styles.warning}
    title="Its name or symbol looks like that of another token, which is older, larger or verified"
  >
    Looks like another token
  </span>
)

/** What a buyer should know of a token before its name is read. */
export const Marks = ({ row }: { readonly row: Pick<Row, "confusable" | "verified"> }) => (
  <>
    {row.verified && <Verified />}
    {row.confusable > 0 && <LooksAlike />}
  </>
)
