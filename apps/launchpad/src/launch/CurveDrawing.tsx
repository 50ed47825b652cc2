import { formatBrief, formatDecimal } from "../figures/Format.ts"
import { type Curve, marketCapAt, riseOf } from "./Curve.ts"
import { HEIGHT, MARGIN, placeOf, WIDTH } from "./CurvePlaces.ts"
import styles from "./Launch.module.css"

const STEPS = 48

/** The curve drawn, price against tokens sold, with where the first buy takes it, and what it does in figures. `raised`: by the first buy. */
export const CurveDrawing = ({ curve, raised }: { readonly curve: Curve; readonly raised: number }) => {
  const { terms, threshold } = curve
  const places = Array.from({ length: STEPS + 1 }, (_, step) => placeOf(curve, (threshold * step) / STEPS))
  const line = `M${places.map((place) => place.join(" ")).join("L")}`
  const [x, y] = placeOf(curve, raised)
  const [start, end] = [0, threshold].map((at) => `${formatBrief(marketCapAt(curve, at))} SOL`)
  const figures = [
    ["Starts at", start],
    ["Graduates at", end],
    ["Raises", `${formatBrief(terms.raises)} SOL`],
    ["Supply", formatBrief(terms.supply)],
  ]
  return (
    <figure>
      <svg
        fill="var(--accent-soft)"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Price against tokens sold: a market cap from ${start} to ${end}`}
      >
        <path d={`${line}V${HEIGHT - MARGIN}H${MARGIN}Z`} />
        <path d={line} fill="none" stroke="var(--accent)" strokeWidth="2.5" />
        {raised > 0 && <circle cx={x} cy={y} r="5" fill="var(--text)" />}
      </svg>
      <dl className={styles.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <figcaption className="muted small">
        The price rises {riseOf(curve)} times. Then the {formatDecimal(terms.raises)} SOL go with {terms.poolPercent}%
        of the tokens into a pool at DAMM v2. Fees of trades come on top.
      </figcaption>
    </figure>
  )
}
