const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Pauses after the first, second, ... attempt; the one after these is the last. About three days. */
const PAUSES_MILLIS = [
  ...[5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR],
  ...[10 * HOUR, 14 * HOUR, 20 * HOUR, 24 * HOUR],
]

/** Of a pause, in both directions: endpoints that failed together are not retried together. */
const JITTER = 0.1

/** No Retry-After delays an attempt further. */
const RETRY_AFTER_MILLIS_MAX = 24 * HOUR

/** Attempts of a message, without redelivery. */
export const ATTEMPTS_MAX = PAUSES_MILLIS.length + 1

/** Milliseconds until the next attempt after so many; undefined if that was the last. `random` is from 0 to 1. */
export const pauseMillis = (
  attempts: number,
  random: number,
  retryAfterMillis: number | undefined,
): number | undefined => {
  const pause = PAUSES_MILLIS[attempts - 1]
  if (pause === undefined) return undefined
  const jittered = pause * (1 - JITTER + 2 * JITTER * random)
  return Math.round(Math.max(jittered, Math.min(retryAfterMillis ?? 0, RETRY_AFTER_MILLIS_MAX)))
}
