import { type Curve, pointAt } from "./Curve.ts"

export const WIDTH = 360
export const HEIGHT = 190
export const [LEFT, RIGHT, TOP, BOTTOM] = [12, 350, 12, 168]
const STEPS = 48n
/** Digits of a place on the drawing. */
const PLACES = 10_000n

/** How much of a whole, as a number for the drawing alone. */
export const share = (part: bigint, whole: bigint): number => Number((part * PLACES) / whole) / Number(PLACES)

/** Where points of a curve are on the drawing: tokens sold to the right, price upwards. */
export const placesOf = (curve: Curve): ReadonlyArray<readonly [number, number]> =>
  Array.from({ length: Number(STEPS) + 1 }, (_, step) => {
    const { sold, sqrtPrice } = pointAt(curve, (curve.threshold * BigInt(step)) / STEPS)
    const x = LEFT + (RIGHT - LEFT) * share(sold, curve.sold)
    const y = BOTTOM - (BOTTOM - TOP) * share(sqrtPrice ** 2n, curve.sqrtMigrationPrice ** 2n)
    return [Math.round(x * 10) / 10, Math.round(y * 10) / 10]
  })
