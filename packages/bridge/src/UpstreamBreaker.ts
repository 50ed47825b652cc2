import { Clock, Effect, Predicate, Random } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { CLOCKS_APART_MILLIS } from "./ClocksApart.ts"
import { type IntentsUnavailable, isOfOneAnswer } from "./intents/IntentsErrors.ts"

/**
 * What the swap service is asked for. Apart, because one may fail where the others do not: with quotes refused, swaps are
 * followed all the same.
 */
export type UpstreamCall = "watch" | "quote" | "tokens"

/** How exactly it is remembered when it last answered: one write for as long. */
const ANSWERED_MILLIS = 30_000
/** Failures in a row, of all processes together, after which the swap service is left alone for a while. */
const FAILURES_MAX = 5
const REST_MILLIS = 2_000
const REST_MILLIS_MAX = 60_000
/** Whoever finds out whether it is back has this long before somebody else does; a request is given up sooner. */
const PROBE_MILLIS = 15_000
/** What 429 means when it does not say for how long, and the longest that it is taken at its word. */
const PAUSE_MILLIS = 5_000
const PAUSE_MILLIS_MAX = 3_600_000

/** What is known of the swap service. */
export interface UpstreamState {
  /** Until then it is not asked; 0 when it may be. */
  readonly waitMillis: number
  /** It failed often and has not answered since: one request at a time finds out. */
  readonly isAway: boolean
  /** Why it failed last; none once it has answered. */
  readonly reason: IntentsUnavailable["reason"] | undefined
  /** Failures since it last answered. */
  readonly failures: number
  /** When it last answered, to half a minute; none before it was asked. */
  readonly answeredAt: Date | undefined
}

/** Leave to ask, or none. */
export interface UpstreamEntry extends UpstreamState {
  readonly isOpen: boolean
  /** Nothing was asked: somebody else may find out. */
  readonly release: Effect.Effect<void>
}

export interface UpstreamBreaker {
  readonly state: Effect.Effect<UpstreamState>
  /** While the swap service is away, one of all processes is let in at a time. */
  readonly enter: Effect.Effect<UpstreamEntry>
  /** A request whose outcome is remembered. It is made whatever the state is: who makes it has entered. */
  readonly observed: <A, E>(
    request: Effect.Effect<A, E | IntentsUnavailable>,
  ) => Effect.Effect<A, E | IntentsUnavailable>
}

export const isIntentsUnavailable = (error: unknown): error is IntentsUnavailable =>
  Predicate.isTagged(error, "IntentsUnavailable")

interface StateRow {
  readonly failures: number
  readonly reason: IntentsUnavailable["reason"] | null
  readonly waitsUntil: Date | null
  readonly answeredAt: Date | null
}

/**
 * The breaker before calls of one kind, shared by all processes through a row; patience that was asked for holds for all
 * kinds. It moves when things are asked, and never what is said of a swap.
 */
export const upstreamBreaker = (call: UpstreamCall): Effect.Effect<UpstreamBreaker, never, SqlClient> =>
  Effect.map(SqlClient, (sql) => {
    /** Further ahead than `millis` is nothing that a process with this clock would write. */
    const within = (now: Date, millis: number) => new Date(now.getTime() + millis + CLOCKS_APART_MILLIS)

    const state = Effect.gen(function* () {
      const now = new Date(yield* Clock.currentTimeMillis)
      const [row] = yield* sql<StateRow>`
        select failures, reason, answered_at, greatest(
          case when rests_until <= ${within(now, REST_MILLIS_MAX)} then rests_until end,
          case when probe_until <= ${within(now, PROBE_MILLIS)} then probe_until end,
          (select max(paused_until) from bridge_upstream where paused_until <= ${within(now, PAUSE_MILLIS_MAX)})
        ) as waits_until from bridge_upstream where name = ${call}`.pipe(Effect.orDie)
      return {
        waitMillis: Math.max(0, (row?.waitsUntil?.getTime() ?? 0) - now.getTime()),
        isAway: (row?.failures ?? 0) >= FAILURES_MAX,
        reason: row?.reason ?? undefined,
        failures: row?.failures ?? 0,
        answeredAt: row?.answeredAt ?? undefined,
      }
    })

    const enter = Effect.gen(function* () {
      const known = yield* state
      if (known.waitMillis > 0) return { ...known, isOpen: false, release: Effect.void }
      if (!known.isAway) return { ...known, isOpen: true, release: Effect.void }
      const now = new Date(yield* Clock.currentTimeMillis)
      const until = new Date(now.getTime() + PROBE_MILLIS)
      const taken = yield* sql`
        update bridge_upstream set probe_until = ${until}
        where name = ${call} and failures >= ${FAILURES_MAX}
          and (rests_until is null or rests_until <= ${now} or rests_until > ${within(now, REST_MILLIS_MAX)})
          and (probe_until is null or probe_until <= ${now} or probe_until > ${within(now, PROBE_MILLIS)})
        returning name`.pipe(Effect.orDie)
      if (taken.length === 0) return { ...known, waitMillis: REST_MILLIS, isOpen: false, release: Effect.void }
      const release = sql`
        update bridge_upstream set probe_until = null where name = ${call} and probe_until = ${until}`.pipe(
        Effect.orDie,
        Effect.asVoid,
      )
      return { ...known, isOpen: true, release }
    })

    const succeeded = Effect.gen(function* () {
      const now = new Date(yield* Clock.currentTimeMillis)
      yield* sql`
        update bridge_upstream
        set failures = 0, reason = null, http_status = null, rests_until = null, probe_until = null, answered_at = ${now}
        where name = ${call} and (failures > 0 or answered_at is null
          or answered_at <= ${new Date(now.getTime() - ANSWERED_MILLIS)} or answered_at > ${within(now, 0)})`.pipe(
        Effect.orDie,
      )
    })

    const pause = Effect.fnUntraced(function* (millis: number) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const until = new Date(now.getTime() + Math.min(millis, PAUSE_MILLIS_MAX))
      yield* sql`
        update bridge_upstream set paused_until = greatest(${until}::timestamptz,
          case when paused_until <= ${within(now, PAUSE_MILLIS_MAX)} then paused_until end)
        where name = ${call}`.pipe(Effect.orDie)
    })

    const failed = Effect.fnUntraced(function* ({ reason, status }: IntentsUnavailable) {
      const now = new Date(yield* Clock.currentTimeMillis)
      const jitter = 0.5 + 0.5 * (yield* Random.next)
      // Requests that were under way when it began to rest say nothing new. All kinds are held, so that of two failures at
      // once one is the first.
      const [written] = yield* sql<{ readonly failures: number; readonly wasRefused: boolean | null }>`
        with held as (select reason from bridge_upstream order by name for update),
          before as (select bool_or(reason = 'unauthorized') as was_refused from held)
        update bridge_upstream u set failures = u.failures + 1, reason = ${reason}, http_status = ${status ?? null},
          probe_until = null,
          rests_until = case when u.failures + 1 < ${FAILURES_MAX}::integer then null else ${now}::timestamptz
            + interval '1 millisecond' * ${jitter}::float8
            * least(${REST_MILLIS_MAX}::integer,
              ${REST_MILLIS}::integer * power(2, least(u.failures + 1 - ${FAILURES_MAX}::integer, 20))) end
        from before where u.name = ${call} and (u.rests_until is null or u.rests_until <= ${now}
          or u.rests_until > ${within(now, REST_MILLIS_MAX)})
        returning u.failures, before.was_refused`.pipe(Effect.orDie)
      if (written === undefined) return
      const facts = Effect.annotateLogs({ call, reason, httpStatus: status ?? "" })
      if (reason === "unauthorized" && written.wasRefused !== true)
        yield* Effect.logError(
          "The swap service refuses INTENTS_API_KEY, or asks for one: nothing is quoted or followed until it takes it",
        ).pipe(facts)
      if (written.failures === FAILURES_MAX)
        yield* Effect.logWarning("The swap service is away: swaps keep their status until it answers again").pipe(facts)
    })

    const observed: UpstreamBreaker["observed"] = (request) =>
      request.pipe(
        Effect.tap(() => succeeded),
        Effect.tapError((error) =>
          Effect.gen(function* () {
            // A refusal is an answer: the service is there.
            if (!isIntentsUnavailable(error)) return yield* succeeded
            if (error.retryAfterMillis !== undefined || error.reason === "rate_limited")
              yield* pause(error.retryAfterMillis ?? PAUSE_MILLIS)
            if (error.reason !== "rate_limited" && !isOfOneAnswer(error)) yield* failed(error)
          }),
        ),
      )

    return { state, enter, observed }
  })
