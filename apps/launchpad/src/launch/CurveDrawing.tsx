import { formatBrief, formatDecimal } from "../figures/Format.ts"
import { type Curve, marketCapAt, pointAt, riseOf } from "./Curve.ts"
import styles from "./Launch.module.css"

const [WIDTH, HEIGHT, MARGIN] = [360, 150, 6]
const STEPS = 48n
/** Digits of a place on the drawing. */
const PLACES = 10_000n

/** How much of a whole, as a number for the drawing alone. */
export const share = (part: bigint, whole: bigint): number => Number((part * PLACES) / whole) / Number(PLACES)

/** Where a curve is on the drawing once so much was raised: tokens sold to the right, price upwards. */
export const placeOf = (curve: Curve, raised: bigint): readonly [number, number] => {
  const { sold, sqrtPrice } = pointAt(curve, raised)
  const x = MARGIN + (WIDTH - 2 * MARGIN) * share(sold, curve.sold)
  const y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * share(sqrtPrice ** 2n, curve.sqrtMigrationPrice ** 2n)
  return [Math.round(x * 10) / 10, Math.round(y * 10) / 10]
}

/** The curve drawn, price against tokens sold, with where the first buy takes it, and what it does in figures. `raised`: by the first buy. */
export const CurveDrawing = ({ curve, raised }: { readonly curve: Curve; readonly raised: bigint }) => {
  const { terms, threshold } = curve
  const places = Array.from({ length: Number(STEPS) + 1 }, (_, step) =>
    placeOf(curve, (threshold * BigInt(step)) / STEPS),
  )
  const line = `M${places.map((place) => place.join(" ")).join("L")}`
  const [x, y] = placeOf(curve, raised)
  const [start, end] = [0n, threshold].map((at) => `${formatBrief(marketCapAt(curve, at))} SOL`)
  const figures = [
    ["Starts at", start],
    ["Graduates at", end],
    ["Raises", `${formatBrief(terms.raises)} SOL`],
    ["Supply", formatBrief(terms.supply)],
  ]
  return (
    <figure>
      <svg
        className={styles.curve}
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-label={`Price against tokens sold: a market cap from ${start} to ${end}`}
      >
        <path d={`${line}V${HEIGHT - MARGIN}H${MARGIN}Z`} />
        <path className={styles.line} d={line} />
        {raised > 0n && <circle className={styles.dot} cx={x} cy={y} r="5" />}
      </svg>
      <dl className={styles.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <figcaption className={styles.small}>
        The price rises {String(riseOf(curve))} times. Then the {formatDecimal(terms.raises)} SOL go with{" "}
        {terms.poolPercent}% of the tokens into a pool at DAMM v2. Fees of trades come on top.
      </figcaption>
    </figure>
  )
}
