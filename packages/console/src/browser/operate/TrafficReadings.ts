import { type RequestCounts, type Traffic, trafficBetween } from "./TrafficRates.ts"

/** Rates are those of so long. */
const WINDOW_MILLIS = 60_000
/** Five minutes of one process, or fewer of several. */
const READINGS_MAX = 60

/** With one more, which is the last, and no more than are of use. */
export const withReading = (
  readings: ReadonlyArray<RequestCounts>,
  reading: RequestCounts,
): ReadonlyArray<RequestCounts> => [...readings, reading].slice(-READINGS_MAX)

/** Those of the process that was read last: a load balancer may lead to another one each time. */
const ofLast = (readings: ReadonlyArray<RequestCounts>): ReadonlyArray<RequestCounts> =>
  readings.filter(({ startedAt }) => startedAt === readings.at(-1)!.startedAt)

/** Of the last minute, or of as much of it as was read. */
export const lastMinute = (readings: ReadonlyArray<RequestCounts>): Traffic | undefined => {
  const known = ofLast(readings)
  const newest = known.at(-1)
  if (newest === undefined) return undefined
  const first = known.findLast(({ at }) => newest.at - at >= WINDOW_MILLIS) ?? known[0]!
  return trafficBetween(first, newest)
}

/** From one reading to the next. */
export const intervalsOf = (readings: ReadonlyArray<RequestCounts>): ReadonlyArray<Traffic> => {
  const known = ofLast(readings)
  return known.slice(1).flatMap((reading, at) => trafficBetween(known[at]!, reading) ?? [])
}
