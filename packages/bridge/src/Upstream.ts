import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { sharedClock } from "@launch-registry/postgres/SharedClock"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type IntentsUnavailable, isIntentsUnavailable, isOfOneAnswer, reasonText } from "./intents/IntentsErrors.ts"

/** What the swap service is asked for, with a rate and a breaker each: where one fails, the others go on. */
export type UpstreamCall = "watch" | "quote" | "tokens"

/** A token bucket: so many requests a second, and so many at once after a pause. */
export interface Rate {
  readonly perSecond: number
  readonly burst: number
}

/** The service documents no limit; it answers 429 where it has one. */
const RATES: Readonly<Record<UpstreamCall, Rate>> = {
  watch: { perSecond: 2, burst: 2 },
  quote: { perSecond: 10, burst: 20 },
  tokens: { perSecond: 1, burst: 10 },
}

/** Failures in a row, of all processes together, that open the breaker. */
const FAILURES_MAX = 5
/** While it is open, one request is let through this often. Longer than the deadline of a request. */
const REST_MILLIS = 15_000
/** Pause after a 429 without Retry-After, and the longest Retry-After that is honoured. */
const PAUSE_MILLIS = 5_000
const PAUSE_MILLIS_MAX = 3_600_000
/** Resolution of `answered_at`: it is written this often at most. */
const ANSWERED_MILLIS = 30_000
/** Retry-After for callers when the swap service gave none. */
const RETRY_MILLIS = 5_000

/** What all processes together know of the swap service, from calls of one kind. */
export interface CallState {
  readonly call: UpstreamCall
  /** When this was so, by the clock that processes share. */
  readonly at: Date
  /** Milliseconds until it may be asked; 0 when it may be now. */
  readonly waitMillis: number
  /** The breaker is open. */
  readonly isAway: boolean
  /** Why it failed last; null once it has answered. */
  readonly reason: IntentsUnavailable["reason"] | null
  /** None before it answered. */
  readonly answeredAt: Date | null
}

/** Requests to make, or when and why there are none. */
type Granted<A> = { readonly value: A } | Pick<CallState, "isAway" | "reason" | "waitMillis">

const unavailable = (reason: string, waitMillis = RETRY_MILLIS) =>
  new Unavailable({ service: "bridge", reason, retryAfterSeconds: Math.max(1, Math.ceil(waitMillis / 1_000)) })

/** A refusal that no caller can fix. */
export const refusesUs = unavailable("it refuses the request")

/**
 * Access to the swap service: rates and breakers that all processes share through a row for each kind of call. They say when it
 * is asked, and never change a swap.
 */
export const upstreamAt = Effect.fnUntraced(function* (given: { readonly watch?: Rate; readonly quote?: Rate } = {}) {
  const sql = yield* SqlClient
  const moment = yield* sharedClock
  const rates = { ...RATES, ...given }

  const states = Effect.gen(function* () {
    const { now } = yield* moment
    return yield* sql<CallState>`
      select name as call, ${now} as at, failures >= ${FAILURES_MAX} as is_away, reason, answered_at,
        greatest(0, extract(epoch from greatest(rests_until, paused_until) - ${now}) * 1000)::float8 as wait_millis
      from bridge_upstream order by name desc`
  }).pipe(Effect.orDie)

  /**
   * Runs `use` with how many requests may be made now, leaving `spare` of the rate, in the transaction that takes as many as it
   * says.
   */
  const within = <A>(
    call: UpstreamCall,
    spare: number,
    use: (most: number) => Effect.Effect<{ readonly value: A; readonly requests: number }>,
  ): Effect.Effect<Granted<A>> =>
    Effect.gen(function* () {
      const { burst, perSecond } = rates[call]
      const { after, now } = yield* moment
      // After waiting for the lock `now` may be before `refilled_at`: nothing is refilled twice then.
      const [row] = yield* sql<Pick<CallState, "isAway" | "reason" | "waitMillis"> & { readonly tokens: number }>`
        select failures >= ${FAILURES_MAX} as is_away, reason,
          greatest(0, extract(epoch from greatest(rests_until, paused_until) - ${now}) * 1000)::float8 as wait_millis,
          least(${burst}::float8,
            tokens + ${perSecond}::float8 * greatest(0, extract(epoch from ${now} - refilled_at))) as tokens
        from bridge_upstream where name = ${call} for update`
      const { isAway, reason, tokens, waitMillis } = row!
      const most = isAway ? 1 : Math.floor(tokens - spare)
      if (waitMillis > 0 || most < 1) return { isAway, reason, waitMillis }
      const { requests, value } = yield* use(most)
      // The rest is the lease of the one request that is let through.
      if (requests > 0)
        yield* sql`
          update bridge_upstream set tokens = ${tokens - requests}, refilled_at = greatest(refilled_at, ${now}),
            rests_until = ${isAway ? after(REST_MILLIS) : null}
          where name = ${call}`
      return { value }
    }).pipe(sql.withTransaction, Effect.orDie)

  const answered = Effect.fnUntraced(function* (call: UpstreamCall) {
    const { after, now } = yield* moment
    yield* sql`
      update bridge_upstream set failures = 0, reason = null, rests_until = null, answered_at = ${now}
      where name = ${call}
        and (failures > 0 or answered_at is null or answered_at <= ${after(-ANSWERED_MILLIS)})`
  }, Effect.orDie)

  const failed = Effect.fnUntraced(function* (call: UpstreamCall, error: IntentsUnavailable) {
    const { after } = yield* moment
    const { reason, retryAfterMillis, status } = error
    // A pause holds for all kinds of calls.
    if (retryAfterMillis !== undefined || reason === "rate_limited")
      return yield* Effect.asVoid(sql`
        update bridge_upstream set paused_until = greatest(paused_until,
          ${after(Math.min(retryAfterMillis ?? PAUSE_MILLIS, PAUSE_MILLIS_MAX))})`)
    const [row] = yield* sql<{ readonly failures: number }>`
      update bridge_upstream set failures = failures + 1, reason = ${reason},
        rests_until = case when failures + 1 >= ${FAILURES_MAX} then ${after(REST_MILLIS)} end
      where name = ${call} returning failures`
    if (row!.failures !== FAILURES_MAX) return
    const log = reason === "unauthorized" ? Effect.logError : Effect.logWarning
    const what = reason === "unauthorized" ? "refuses INTENTS_API_KEY, or asks for one" : "is down"
    yield* log(`The swap service ${what}: swaps keep their status until it answers again`).pipe(
      Effect.annotateLogs({ call, reason, httpStatus: status ?? "" }),
    )
  }, Effect.orDie)

  /** A request that was granted: its result is remembered. */
  const observed = <A, E, R>(call: UpstreamCall, request: Effect.Effect<A, E, R>) =>
    request.pipe(
      Effect.tap(() => answered(call)),
      Effect.tapError((error) => {
        // A refusal is an answer: the service is up.
        if (!isIntentsUnavailable(error)) return answered(call)
        return isOfOneAnswer(error) ? Effect.void : failed(call, error)
      }),
    )

  /**
   * A request that a caller waits for: refused at once while the breaker is open. Dry quotes, which cost nothing, leave half of a
   * burst to real ones.
   */
  const now = <A, E>(
    asked: UpstreamCall | "dry",
    request: Effect.Effect<A, E | IntentsUnavailable>,
  ): Effect.Effect<A, Exclude<E, IntentsUnavailable> | Unavailable> =>
    Effect.gen(function* () {
      const call = asked === "dry" ? "quote" : asked
      const spare = asked === "dry" ? rates.quote.burst / 2 : 0
      const granted = yield* within(call, spare, () => Effect.succeed({ value: true, requests: 1 }))
      if ("value" in granted) return yield* observed(call, request)
      if (granted.waitMillis === 0) return yield* unavailable("too many quotes are asked for", 1_000)
      const reason = (granted.isAway ? granted.reason : null) ?? "rate_limited"
      return yield* unavailable(reasonText(reason), granted.waitMillis)
    }).pipe(
      Effect.mapError((error) =>
        isIntentsUnavailable(error) ? unavailable(reasonText(error.reason), error.retryAfterMillis) : error,
      ),
    ) as Effect.Effect<A, Exclude<E, IntentsUnavailable> | Unavailable>

  return { within, observed, now, states }
})

export type Upstream = Effect.Success<ReturnType<typeof upstreamAt>>
