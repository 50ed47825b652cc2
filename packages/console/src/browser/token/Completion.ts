import { INTERVALS, type Bar, type Interval } from "./Candles.ts"
import { type Venue, VENUES } from "./Venues.ts"

/** When all was sold on the curve. Later trades are on the pool that it migrates to: a complete curve takes none. */
export interface Completion {
  /** Unix time in seconds. */
  readonly at: number
  readonly text: string
  readonly isGraduated: boolean
}

/** Of a pool as the API says it; `undefined` before its curve is complete. */
export const completionOf = ({
  finishCurveTimestamp,
  venue,
}: {
  readonly finishCurveTimestamp: string
  readonly venue: Venue
}): Completion | undefined => {
  const at = Number(finishCurveTimestamp)
  if (!(at > 0)) return undefined
  const isGraduated = venue !== "dbc"
  return { at, text: isGraduated ? `Graduated to ${VENUES[venue]}` : "Curve complete", isGraduated }
}

/** Time of the bar whose interval has this time in it, or else of the next one; `undefined` where the bars do not reach back to it. */
export const markedBar = (bars: ReadonlyArray<Bar>, interval: Interval, at: number): number | undefined => {
  const [first] = bars
  if (first === undefined || at < first.time) return undefined
  return bars.find(({ time }) => time + INTERVALS[interval] > at)?.time
}
