import { useAnswer } from "@launch-registry/client/react"
import { Unread } from "../registry/Unread.tsx"
import styles from "./Panels.module.css"
import { trustFlags } from "./TrustWords.ts"

const EVERY_MILLIS = 60_000
const SIGNS = { bad: ["!", "Warning"], note: ["·", "Fact"], good: ["✓", "Good"] } as const

/** What to judge a token by, read from the chain. */
export const Trust = ({ mint }: { readonly mint: string }) => {
  const asked = { mintAddress: mint }
  const { data, error, refetch } = useAnswer(({ tokens }) => tokens.trust, asked, { refetchInterval: EVERY_MILLIS })
  return (
    <section className={`surface stack ${styles.panel}`} aria-labelledby="trust">
      <h2 id="trust">What to know</h2>
      {data !== undefined ? (
        <ul className={styles.flags}>
          {trustFlags(data.data).map(({ kind, text }) => (
            <li key={text} className={styles[kind]}>
              <span className={styles.sign} aria-hidden="true">
                {SIGNS[kind][0]}
              </span>
              <span>
                <span className="hidden">{SIGNS[kind][1]}: </span>
                {text}
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <Unread error={error} onRetry={refetch}>
          Reading mint, metadata and holders
        </Unread>
      )}
    </section>
  )
}
