/** A range of pauses in milliseconds; the random number picks one from it. */
type Pause = readonly [from: number, to: number]

const CLOSE: Pause = [3_000, 5_000]
const QUARTER_MINUTE: Pause = [10_000, 20_000]
const MINUTE: Pause = [45_000, 75_000]
const FIVE_MINUTES: Pause = [240_000, 360_000]
const HALF_HOUR: Pause = [1_500_000, 1_800_000]

const MINUTE_MILLIS = 60_000
const HOUR_MILLIS = 3_600_000

/** A floor, because some estimates are a few seconds. */
const ESTIMATE_MILLIS_MIN = 30_000

/** Means of the intervals for unpaid swaps: with jitter, 5 and 30 minutes at most. */
const UNPAID_MILLIS_MIN = 15_000
const UNPAID_MILLIS_MAX = 240_000
const LATE_MILLIS_MAX = 1_440_000

const BACKOFF_MILLIS = 2_000
const BACKOFF_MILLIS_MAX = 300_000
const BACKOFF_MILLIS_MIN = 500
/** The longest Retry-After that is honoured. */
const RETRY_AFTER_MILLIS_MAX = HOUR_MILLIS

/**
 * Who has reported a deposit: 0 the upstream, 1 only a caller, who may be wrong, 2 no one. Lanes are polled separately,
 * so that quotes, which cost nothing, do not hold up paid swaps.
 */
export type PollLane = 0 | 1 | 2

/** What the next poll depends on. Times are milliseconds since 1970. */
export interface PollFacts {
  readonly lane: PollLane
  /** When a deposit was first known, or else when the quote was made. */
  readonly sinceMillis: number
  readonly nowMillis: number
  /** Seconds, of the quote. */
  readonly timeEstimateSeconds: number
  /** `deadline` of the request: no deposit is expected after it. */
  readonly refundStartsAtMillis: number
  /** `true` for a final status that is still polled because it may change. */
  readonly isSettled: boolean
}

/** A pause with 25 % jitter either way. */
const around = (millis: number): Pause => [0.75 * millis, 1.25 * millis]

/**
 * The interval for an unpaid swap: a third of its age, and after its deadline a third of the time since. From 15 seconds to five
 * minutes and on to half an hour: eighteen polls in the half hour in which most are paid or never are, two or three an hour for
 * as long as its address may still be paid.
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

/** Milliseconds until the next poll after an answered one. `random` is in [0, 1). */
export const nextPollMillis = (facts: PollFacts, random: number): number => within(pauseOf(facts), random)

/**
 * Milliseconds until the next try after `failures` in a row (1 is the first): never before the upstream's Retry-After
 * or the regular interval. Exponential with full jitter.
 */
export const nextTryMillis = (
  facts: PollFacts,
  failure: { readonly failures: number; readonly retryAfterMillis?: number | undefined },
  random: number,
): number => {
  const ceiling = Math.min(BACKOFF_MILLIS_MAX, BACKOFF_MILLIS * 2 ** Math.min(Math.max(failure.failures, 1) - 1, 20))
  const backoff = BACKOFF_MILLIS_MIN + (ceiling - BACKOFF_MILLIS_MIN) * random
  const asked = Math.min(Math.max(failure.retryAfterMillis ?? 0, 0), RETRY_AFTER_MILLIS_MAX)
  // Jitter on Retry-After, because all swaps get the same value.
  const spread = asked === 0 ? 0 : asked + Math.min(asked, 10_000) * random
  return Math.round(Math.max(nextPollMillis(facts, random), backoff, spread))
}
