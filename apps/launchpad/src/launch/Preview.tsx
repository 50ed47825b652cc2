import { useMemo } from "react"
import { BoardCard } from "../board/BoardCard.tsx"
import type { Row } from "../board/BoardState.ts"
import { curveOf, marketCapAt, pointAt } from "./Curve.ts"
import { CurveDrawing } from "./CurveDrawing.tsx"
import styles from "./Preview.module.css"
import { useLaunch } from "./LaunchStore.ts"
import { chosenTerms } from "./OwnCurve.ts"
import { lamportsOf } from "./SolAmount.ts"

const SOL = "So11111111111111111111111111111111111111112"

const NOTHING_KNOWN = {
  ...{ mint: "launch", verified: false, stage: "pre_migration", quoteMint: SOL, quoteDecimals: 9, price: null },
  ...{ marketCapUsd: null, holders: null, confusable: 0, volume24h: null, trades24h: null, change24h: null },
  ...{ launchedAt: null, lastTradeAt: null, isStreamed: false, moved: null },
}

/** The card of the board and the curve, as they will be. */
export const Preview = () => {
  const { draft } = useLaunch()
  const { curve: id, details, own, picture } = draft
  const terms = useMemo(() => chosenTerms({ curve: id, own }), [id, own])
  const curve = useMemo(() => (terms === undefined ? undefined : curveOf(terms)), [terms])
  const firstBuy = lamportsOf(draft.firstBuy) ?? 0n
  const raised = curve !== undefined && firstBuy > curve.threshold ? curve.threshold : firstBuy
  const row: Row = {
    ...NOTHING_KNOWN,
    name: details.name.trim() || "Name of your token",
    symbol: details.symbol.trim() || "SYMBOL",
    imageUri: picture?.preview ?? null,
    marketCap: curve === undefined ? null : marketCapAt(curve, pointAt(curve, raised)),
    progress: curve === undefined ? null : Number((raised * 1_000n) / curve.threshold) / 1_000,
  }
  return (
    <section className={styles.preview} aria-labelledby="launch-preview">
      <h2 id="launch-preview">Preview</h2>
      <div inert>
        <BoardCard row={row} />
      </div>
      {curve === undefined ? (
        <p className="muted">The curve is drawn once its figures are valid.</p>
      ) : (
        <CurveDrawing curve={curve} firstBuy={firstBuy} />
      )}
    </section>
  )
}
