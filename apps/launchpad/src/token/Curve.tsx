import type { Market } from "@launch-registry/client"
import { Ago } from "../figures/Ago.tsx"
import { formatBrief, formatShare, wholeAmount } from "../figures/Format.ts"
import styles from "./Panels.module.css"

/** How far a curve is from its graduation, or when that was. */
export const Curve = ({
  graduatedAt,
  market,
  unit,
}: {
  readonly market: Market
  readonly graduatedAt: string | null
  readonly unit: string
}) => {
  const { migrationQuoteThreshold: threshold, quoteDecimals, quoteProgress, quoteReserve, stage } = market
  const whole = (amount: string | null): string | undefined =>
    amount === null || quoteDecimals === null ? undefined : formatBrief(wholeAmount(amount, quoteDecimals))
  const [raised, goal] = [whole(quoteReserve), whole(threshold)]
  const share = stage === "curve" ? quoteProgress : 1
  return (
    <section className={`surface stack ${styles.panel}`} aria-labelledby="curve">
      <h2 id="curve">
        {stage === "migrated" ? "Graduated" : stage === "completed" ? "Curve complete" : "Curve"}
        {share !== null && <span>{formatShare(share)}</span>}
      </h2>
      {share !== null && <progress className={styles.bar} max={1} value={share} aria-label="Progress of the curve" />}
      <p className="muted">
        {stage === "migrated" ? (
          <>
            It trades in a pool of Meteora.
            {graduatedAt !== null && (
              <>
                {" "}
                It graduated <Ago time={graduatedAt} />.
              </>
            )}
          </>
        ) : stage === "completed" ? (
          "All is raised. It trades again once it has migrated to its pool."
        ) : raised === undefined || goal === undefined ? (
          "How much was raised is not known."
        ) : (
          `${raised} of ${goal} ${unit} raised. At ${goal} ${unit} it graduates to a pool of its own.`
        )}
      </p>
    </section>
  )
}
