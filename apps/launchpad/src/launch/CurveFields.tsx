import type { ReactNode } from "react"
import { formatDecimal } from "../figures/Format.ts"
import { curveOf, riseOf } from "./Curve.ts"
import { PRESETS, termsOf } from "./CurvePresets.ts"
import styles from "./Form.module.css"
import { editDraft, useLaunch } from "./LaunchStore.ts"
import { type CurveId, issuesOfFigures, type OwnFigures } from "./OwnCurve.ts"
import { TextField } from "./TextField.tsx"

const FIGURES: ReadonlyArray<readonly [keyof OwnFigures, label: string, unit: string]> = [
  ["startMarketCap", "Market cap at the start", "SOL"],
  ["migrationMarketCap", "Market cap at graduation", "SOL"],
  ["supply", "Supply", "tokens"],
  ["fee", "Fee of a trade", "%"],
]

const Choice = ({
  children,
  id,
  isWide = false,
}: {
  readonly id: CurveId
  readonly isWide?: boolean
  readonly children: ReactNode
}) => {
  const { draft } = useLaunch()
  return (
    <label className={`${styles.choice} ${isWide ? styles.wide : ""}`}>
      <input
        type="radio"
        name="curve"
        value={id}
        checked={draft.curve === id}
        onChange={() => editDraft({ curve: id })}
      />
      {children}
    </label>
  )
}

const OwnFields = () => {
  const { draft, issues } = useLaunch()
  const { own } = draft
  const found = issuesOfFigures(own)
  return (
    <div className={styles.pair}>
      {FIGURES.map(([name, label, unit]) => (
        <TextField
          key={name}
          {...{ name, label, unit }}
          inputMode="decimal"
          value={own[name]}
          issue={found[name] ?? issues[name]}
          {...(name === "fee" && { placeholder: "As this launchpad has it" })}
          onText={(text) => editDraft({ own: { ...own, [name]: text } }, [name])}
        />
      ))}
    </div>
  )
}

/** Which curve the token is sold on. */
export const CurveFields = () => {
  const { draft } = useLaunch()
  return (
    <section className={styles.section} aria-labelledby="launch-curve">
      <h2 id="launch-curve">Curve</h2>
      <fieldset className={styles.choices}>
        <legend className="hidden">How much the curve raises before the token graduates</legend>
        {PRESETS.map(({ id, name, raises, words }) => (
          <Choice key={id} id={id}>
            <span className={styles.hint}>{name}</span>
            <b>{formatDecimal(raises)} SOL</b>
            <span className={styles.hint}>
              {words} Rises {String(riseOf(curveOf(termsOf(id))))} times.
            </span>
          </Choice>
        ))}
        <Choice id="own" isWide>
          <b>Own figures</b>
          <span className={styles.hint}>Market caps, supply and fee as you enter them.</span>
        </Choice>
      </fieldset>
      {draft.curve === "own" && <OwnFields />}
    </section>
  )
}
