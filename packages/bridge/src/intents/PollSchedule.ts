/** A range of pauses in milliseconds. The random number given draws from all of it. */
type Pause = readonly [from: number, to: number]

const CLOSE: Pause = [3_000, 5_000]
const QUARTER_MINUTE: Pause = [10_000, 20_000]
const MINUTE: Pause = [45_000, 75_000]
const FIVE_MINUTES: Pause = [240_000, 360_000]
const HALF_HOUR: Pause = [1_500_000, 1_800_000]

const MINUTE_MILLIS = 60_000
const HOUR_MILLIS = 3_600_000

/** Estimates of the upstream are this short at times; without a floor a deposit would be followed closely for seconds. */
const ESTIMATE_MILLIS_MIN = 30_000

/** The middles of the pauses between looks at swaps that nobody paid: with what is drawn, 5 and 30 minutes at most. */
const UNPAID_MILLIS_MIN = 15_000
const UNPAID_MILLIS_MAX = 240_000
const LATE_MILLIS_MAX = 1_440_000

const BACKOFF_MILLIS = 2_000
const BACKOFF_MILLIS_MAX = 300_000
const BACKOFF_MILLIS_MIN = 500
/** A Retry-After is taken at its word up to this. */
const RETRY_AFTER_MILLIS_MAX = HOUR_MILLIS

/**
 * Who knows of a deposit: 0 the upstream, 1 only a caller, who may be anybody and may be wrong, 2 nobody. Lanes are looked at
 * apart, so that what costs nothing to ask for does not hold up what was paid.
 */
export type PollLane = 0 | 1 | 2

/** What the next look at a swap depends on. Times are milliseconds since 1970. */
export interface PollFacts {
  readonly lane: PollLane
  /** Since when a deposit is known of, or else since when there is a quote. */
  readonly sinceMillis: number
  readonly nowMillis: number
  /** Seconds, of the quote. */
  readonly timeEstimateSeconds: number
  /** `deadline` of the request: from then on nobody is expected to pay. */
  readonly refundStartsAtMillis: number
  /** `true` for an end that is only looked at again in case it changes. */
  readonly isSettled: boolean
}

/** A pause and a quarter of it to either side. */
const around = (millis: number): Pause => [0.75 * millis, 1.25 * millis]

/**
 * Between looks at a swap that nobody paid: a third of its age, and after its time to be paid a third of what has passed since.
 * From a quarter of a minute to five minutes and on to half an hour: eighteen looks in the half hour in which most are paid
 * or never are, two or three an hour for as long as its address may still be paid.
 */
const unpaidPause = (ageMillis: number, lateMillis: number): Pause =>
  lateMillis < 0
    ? around(Math.min(UNPAID_MILLIS_MAX, Math.max(UNPAID_MILLIS_MIN, ageMillis / 3)))
    : around(Math.min(LATE_MILLIS_MAX, UNPAID_MILLIS_MAX + lateMillis / 3))

const pauseOf = (facts: PollFacts): Pause => {
  if (facts.isSettled) return HALF_HOUR
  const age = facts.nowMillis - facts.sinceMillis
  if (facts.lane !== 2) {
    const isSeen = facts.lane === 0
    const estimate = Math.max(ESTIMATE_MILLIS_MIN, facts.timeEstimateSeconds * 1_000)
    if (isSeen && age < 2 * estimate) return CLOSE
    if (age < 2 * estimate + 10 * MINUTE_MILLIS) return QUARTER_MINUTE
    if (age < 2 * estimate + HOUR_MILLIS) return MINUTE
    return age < 2 * estimate + 12 * HOUR_MILLIS ? FIVE_MINUTES : HALF_HOUR
  }
  return unpaidPause(age, facts.nowMillis - facts.refundStartsAtMillis)
}

const within = ([from, to]: Pause, random: number): number => Math.round(from + (to - from) * random)

/** Milliseconds to the next look at a swap after one that was answered. `random` is from 0 to below 1. */
export const nextPollMillis = (facts: PollFacts, random: number): number => within(pauseOf(facts), random)

/**
 * Milliseconds to the next try after `failures` in a row (1 is the first): never sooner than the upstream asked for, nor
 * sooner than the swap would have been looked at anyway. Exponential with full jitter.
 */
export const nextTryMillis = (
  facts: PollFacts,
  failure: { readonly failures: number; readonly retryAfterMillis?: number | undefined },
  random: number,
): number => {
  const ceiling = Math.min(BACKOFF_MILLIS_MAX, BACKOFF_MILLIS * 2 ** Math.min(Math.max(failure.failures, 1) - 1, 20))
  const backoff = BACKOFF_MILLIS_MIN + (ceiling - BACKOFF_MILLIS_MIN) * random
  const asked = Math.min(Math.max(failure.retryAfterMillis ?? 0, 0), RETRY_AFTER_MILLIS_MAX)
  // What all were told to wait is spread, or all would come back at once.
  const spread = asked === 0 ? 0 : asked + Math.min(asked, 10_000) * random
  return Math.round(Math.max(nextPollMillis(facts, random), backoff, spread))
}
