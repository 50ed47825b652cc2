import { formatBrief, formatDecimal } from "../figures/Format.ts"
import { type Curve, marketCapAt, pointAt, priceAt, riseOf } from "./Curve.ts"
import styles from "./Preview.module.css"

const [WIDTH, HEIGHT] = [360, 150]
export const [LEFT, RIGHT, TOP, BOTTOM] = [6, 354, 10, 144]
const STEPS = 48n
/** Digits of a place on the drawing. */
const PLACES = 10_000n

/** How much of a whole, as a number for the drawing alone. */
export const share = (part: bigint, whole: bigint): number => Number((part * PLACES) / whole) / Number(PLACES)

/** Where a curve is on the drawing once so much was raised: tokens sold to the right, price upwards. */
export const placeOf = (curve: Curve, raised: bigint): readonly [number, number] => {
  const { sold, sqrtPrice } = pointAt(curve, raised)
  const x = LEFT + (RIGHT - LEFT) * share(sold, curve.sold)
  const y = BOTTOM - (BOTTOM - TOP) * share(sqrtPrice ** 2n, curve.sqrtMigrationPrice ** 2n)
  return [Math.round(x * 10) / 10, Math.round(y * 10) / 10]
}

/** The curve drawn, price against tokens sold, with the place that the first buy takes it to, and what it says in figures. */
export const CurveDrawing = ({ curve, firstBuy }: { readonly curve: Curve; readonly firstBuy: bigint }) => {
  const places = Array.from({ length: Number(STEPS) + 1 }, (_, step) =>
    placeOf(curve, (curve.threshold * BigInt(step)) / STEPS),
  )
  const line = places.map((place, index) => `${index === 0 ? "M" : "L"}${place.join(" ")}`).join("")
  const [start, end] = [pointAt(curve, 0n), pointAt(curve, curve.threshold)]
  const bought = placeOf(curve, firstBuy < curve.threshold ? firstBuy : curve.threshold)
  const { poolPercent, raises, supply } = curve.terms
  const figures = [
    ["Starts at", `${formatBrief(marketCapAt(curve, start))} SOL`],
    ["Graduates at", `${formatBrief(marketCapAt(curve, end))} SOL`],
    ["Raises", `${formatBrief(raises)} SOL`],
    ["Supply", formatBrief(supply)],
  ]
  const said = `Price against tokens sold: from ${formatDecimal(priceAt(curve, start))} SOL to ${formatDecimal(priceAt(curve, end))} SOL`
  return (
    <figure>
      <svg className={styles.curve} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={said}>
        <path className={styles.area} d={`${line}V${BOTTOM}H${LEFT}Z`} />
        {firstBuy > 0n && <path className={styles.bought} d={`M${bought.join(" ")}V${BOTTOM}`} />}
        <path className={styles.line} d={line} />
        {firstBuy > 0n && <circle className={styles.dot} cx={bought[0]} cy={bought[1]} r="5" />}
      </svg>
      <dl className={styles.figures}>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <figcaption className={styles.words}>
        The price rises {String(riseOf(curve))} times. Then the {formatDecimal(raises)} SOL go with{" "}
        {formatDecimal(String(poolPercent))}% of the tokens into a pool at DAMM v2. Fees of trades come on top.
      </figcaption>
    </figure>
  )
}
