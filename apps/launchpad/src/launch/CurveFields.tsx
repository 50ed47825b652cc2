import { formatDecimal } from "../figures/Format.ts"
import { curveOf, riseOf } from "./Curve.ts"
import { type CurveFigures, issuesOfFigures, PRESETS, STANDARD, termsOf } from "./CurveFigures.ts"
import styles from "./Form.module.css"
import { editDraft, useLaunch } from "./LaunchStore.ts"
import { TextField } from "./TextField.tsx"

const FIELDS: ReadonlyArray<readonly [keyof CurveFigures, label: string, unit: string, hint?: string]> = [
  ["raises", "Raises before it graduates", "SOL"],
  ["poolPercent", "Of the supply into the pool", "%", "The less it is, the more the price rises."],
  ["supply", "Supply", "tokens"],
  ["fee", "Fee of a trade", "%", "Empty: as this launchpad has it."],
]

/** Which curve the token is sold on. */
export const CurveFields = () => {
  const { draft, issues } = useLaunch()
  const { figures } = draft
  const found = issuesOfFigures(figures)
  return (
    <section className={`surface stack ${styles.section}`} aria-labelledby="launch-curve">
      <h2 id="launch-curve">Curve</h2>
      <fieldset className={styles.pair}>
        <legend className="hidden">How much the curve raises before the token graduates</legend>
        {PRESETS.map(({ name, poolPercent, raises, words }) => (
          <label key={name} className={styles.choice}>
            <input
              type="radio"
              name="curve"
              checked={figures.raises === raises && figures.poolPercent === poolPercent}
              onChange={() => editDraft({ figures: { ...figures, raises, poolPercent } }, ["raises", "poolPercent"])}
            />
            <span className="muted small">{name}</span>
            <b>{formatDecimal(raises)} SOL</b>
            <span className="muted small">
              {words} Rises {riseOf(curveOf(termsOf({ ...STANDARD, raises, poolPercent })!))} times.
            </span>
          </label>
        ))}
      </fieldset>
      <details>
        <summary>Own figures</summary>
        <div className={styles.pair}>
          {FIELDS.map(([name, label, unit, hint]) => (
            <TextField
              key={name}
              {...{ name, label, unit, hint }}
              inputMode="decimal"
              value={figures[name]}
              issue={found[name] ?? issues[name]}
              onText={(text) => editDraft({ figures: { ...figures, [name]: text } }, [name])}
            />
          ))}
        </div>
      </details>
    </section>
  )
}
