import { type Curve, pointAt } from "./Curve.ts"

export const [WIDTH, HEIGHT, MARGIN] = [360, 150, 6]

/** Where a curve is on the drawing once so much was raised: tokens sold to the right, price upwards. */
export const placeOf = (curve: Curve, raised: number): readonly [number, number] => {
  const { root, sold } = pointAt(curve, raised)
  const x = MARGIN + ((WIDTH - 2 * MARGIN) * sold) / curve.sold
  const y = HEIGHT - MARGIN - (HEIGHT - 2 * MARGIN) * (root / curve.migration) ** 2
  return [Math.round(x * 10) / 10, Math.round(y * 10) / 10]
}
