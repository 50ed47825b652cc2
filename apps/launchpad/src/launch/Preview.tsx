import { useMemo } from "react"
import { BoardCard } from "../board/BoardCard.tsx"
import type { Row } from "../board/Row.ts"
import { curveOf, marketCapAt } from "./Curve.ts"
import { CurveDrawing } from "./CurveDrawing.tsx"
import { configOf, termsOf } from "./CurveFigures.ts"
import styles from "./Launch.module.css"
import { useLaunch } from "./LaunchStore.ts"
import { lamportsOf } from "./SolAmount.ts"

/** The card of the board and the curve, as they will be. */
export const Preview = () => {
  const { draft } = useLaunch()
  const { details, figures, picture } = draft
  const terms = useMemo(() => termsOf(figures), [figures])
  const curve = useMemo(() => terms && curveOf(terms), [terms])
  const raised = Math.min(Number(lamportsOf(draft.firstBuy) ?? 0n), curve?.threshold ?? 0)
  const row: Row = {
    ...{ mint: "launch", verified: false, stage: "pre_migration", quoteDecimals: 9, price: null, marketCapUsd: null },
    ...{ holders: null, confusable: 0, volume24h: null, change24h: null, launchedAt: null },
    ...{ lastTradeAt: null, isStreamed: false, moved: null },
    quoteMint: terms === undefined ? null : configOf(terms).quoteMint,
    name: details.name.trim() || "Name of your token",
    symbol: details.symbol.trim() || "SYMBOL",
    imageUri: picture?.preview ?? null,
    marketCap: curve === undefined ? null : marketCapAt(curve, raised),
    progress: curve === undefined ? null : raised / curve.threshold,
  }
  return (
    <section className={`stack ${styles.preview}`} aria-labelledby="launch-preview">
      <h2 id="launch-preview">Preview</h2>
      <div inert>
        <BoardCard row={row} />
      </div>
      {curve === undefined ? (
        <p className="muted">The curve is drawn once its figures are valid.</p>
      ) : (
        <CurveDrawing curve={curve} raised={raised} />
      )}
    </section>
  )
}
