import { type Curve, pointAt } from "./Curve.ts"

export const [WIDTH, HEIGHT, MARGIN] = [360, 150, 6]

/** How much of a whole, as a number for the drawing alone. */
export const share = (part: bigint, whole: bigint): number => Number((part * 10_000n) / whole) / 10_000

/** Where a curve is on the drawing once so much was raised: tokens sold to the right, price upwards. */
export const placeOf = (curve: Curve, raised: bigint): readonly [number, number] => {
  const { sold, sqrtPrice } = pointAt(curve, raised)
  const x = MARGIN + (WIDTH - 2 * MARGIN) * share(sold, curve.sold)
  const y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * share(sqrtPrice ** 2n, curve.sqrtMigrationPrice ** 2n)
  return [Math.round(x * 10) / 10, Math.round(y * 10) / 10]
}
