import { Cause, Clock, Deferred, Effect, Latch } from "effect"
import { regularly } from "@launch-registry/postgres/Regularly"
import { budgetLeases, type Lease, type RateLimit } from "./BudgetLeases.ts"
import { ClientBudgets, type Spending } from "./ClientBudgets.ts"

/** Clients whose leases are asked for in one statement; one statement is in flight at a time. */
const LEASES_AT_ONCE = 256
/** A database that has not answered after this counts as away. */
const LEASE_MILLIS = 3_000
/** Until then it is not asked again. */
const AWAY_MILLIS = 5_000
/** Leases that one request waits for: a window may be shorter than the database takes to answer. */
const LEASES_PER_REQUEST = 4
const SWEEP_MILLIS = 60_000

/** Requests of one client that wait for its next lease. */
interface Waiting {
  needed: number
  weight: number
  readonly settled: Deferred.Deferred<void>
}

const nowOf = (clock: Clock.Clock): number => Number(clock.currentTimeNanosUnsafe() / 1_000_000n)

/**
 * One budget of each client over all processes. While the database is away each process counts alone, because a limiter
 * must not be what fails: a client then has its budget once per process.
 */
export const sharedBudgets = Effect.fnUntraced(function* (limit: RateLimit, clientsMax?: number) {
  const leases = yield* budgetLeases(limit)
  const budgets = new ClientBudgets(limit, clientsMax)
  const waiting = new Map<string, Waiting>()
  const asked = new Map<string, Waiting>()
  const isWaiting = Latch.makeUnsafe(false)
  let isEnded = false
  let awayUntil = Number.NEGATIVE_INFINITY

  /** Resolves once the client has another lease. */
  const nextLease = (client: string, weight: number): Effect.Effect<void> => {
    const inFlight = asked.get(client)
    if (inFlight !== undefined) return Deferred.await(inFlight.settled)
    const known = waiting.get(client)
    const own = known ?? { needed: weight, weight: 0, settled: Deferred.makeUnsafe<void>() }
    own.needed = Math.min(own.needed, weight)
    own.weight += weight
    if (known === undefined) waiting.set(client, own)
    isWaiting.openUnsafe()
    return Deferred.await(own.settled)
  }

  /** Whether a request may be made, which counts it. */
  const spend = (client: string, weight: number, attempt = 0): Effect.Effect<Spending> =>
    Effect.clockWith((clock) => {
      const now = nowOf(clock)
      if (isEnded || attempt === LEASES_PER_REQUEST) budgets.addAlone(client, now)
      const spending = budgets.spend(client, weight, now)
      return spending === undefined
        ? Effect.flatMap(nextLease(client, weight), () => spend(client, weight, attempt + 1))
        : Effect.succeed(spending)
    })

  const leased = (now: number) => {
    const requests = [...asked].map(([client, { needed, weight }]) => budgets.request(client, needed, weight, now))
    return leases.lease(requests).pipe(
      Effect.timeout(LEASE_MILLIS),
      Effect.catchCause((cause) =>
        Cause.hasInterruptsOnly(cause)
          ? Effect.failCause(cause as Cause.Cause<never>)
          : Effect.as(
              Effect.logWarning("The database gives no leases; rate limits are counted by this process alone", cause),
              undefined,
            ),
      ),
    )
  }

  const settle = (leases: ReadonlyArray<Lease> | undefined, askedAt: number, now: number): void => {
    if (leases === undefined) for (const client of asked.keys()) budgets.addAlone(client, now)
    else for (const lease of leases) budgets.add(lease, askedAt)
    const settled = [...asked.values()]
    // First: a waiting request continues at once, and its next lease must not find this one still in flight.
    asked.clear()
    for (const one of settled) Deferred.doneUnsafe(one.settled, Effect.void)
  }

  const round = Effect.clockWith((clock) => {
    for (const [client, one] of waiting) {
      if (asked.size === LEASES_AT_ONCE) break
      waiting.delete(client)
      asked.set(client, one)
    }
    if (waiting.size === 0) isWaiting.closeUnsafe()
    const askedAt = nowOf(clock)
    return Effect.map(askedAt < awayUntil ? Effect.undefined : leased(askedAt), (granted) => {
      const now = nowOf(clock)
      if (granted === undefined && askedAt >= awayUntil) awayUntil = now + AWAY_MILLIS
      settle(granted, askedAt, now)
    })
  })

  // Requests may still be in flight when their server closes.
  yield* Effect.addFinalizer(() =>
    Effect.clockWith((clock) => {
      isEnded = true
      for (const [client, one] of waiting) asked.set(client, one)
      waiting.clear()
      settle(undefined, 0, nowOf(clock))
      return Effect.void
    }),
  )
  yield* Effect.forkScoped(Effect.forever(Effect.andThen(isWaiting.await, round)))
  yield* Effect.forkScoped(regularly("Sweeping rate limit windows", SWEEP_MILLIS, leases.sweep))
  return { spend: (client: string, weight: number) => spend(client, weight) }
})
