import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sharedClock } from "@launch-registry/postgres/SharedClock"

/**
 * watch: looking at swaps and telling of deposits, which can wait. unpaid: the part of it for swaps that nobody paid. quote:
 * what somebody is waiting for. dry: the part of it for quotes that bind nobody. tokens: the list. Apart, so that none starves
 * the others.
 */
export type BudgetName = "watch" | "unpaid" | "quote" | "dry" | "tokens"

/** A token bucket: so many requests a second, and so many at once after a pause. */
export interface BudgetRate {
  readonly perSecond: number
  readonly burst: number
}

export interface UpstreamBudget {
  /** Takes up to `wanted` requests; gives how many there were. */
  readonly take: (wanted: number) => Effect.Effect<number>
  /** Puts back what was taken and not used. */
  readonly giveBack: (unused: number) => Effect.Effect<void>
}

/**
 * Requests that all processes together may make to the swap service. The bucket is a row, so any number of processes share
 * it and a process that dies takes nothing with it but what it had in hand.
 */
export const upstreamBudget = (
  name: BudgetName,
  { burst, perSecond }: BudgetRate,
): Effect.Effect<UpstreamBudget, never, SqlClient> =>
  Effect.gen(function* () {
    const sql = yield* SqlClient
    const moment = yield* sharedClock

    const take = Effect.fnUntraced(function* (wanted: number) {
      const { now } = yield* moment
      // `now` is before that of whoever was let through the lock first: it refills nothing then, and takes nothing back.
      const [row] = yield* sql<{ readonly granted: number }>`
        with held as (
          select name, least(${burst}::float8,
            tokens + ${perSecond}::float8 * greatest(0, extract(epoch from ${now} - refilled_at))) as available
          from bridge_budgets where name = ${name} for update
        ), taken as (
          update bridge_budgets b
          set tokens = held.available - least(${wanted}::integer, floor(held.available)),
            refilled_at = greatest(b.refilled_at, ${now})
          from held where b.name = held.name
        )
        select least(${wanted}::integer, floor(available))::integer as granted from held`.pipe(Effect.orDie)
      return Math.max(0, row?.granted ?? 0)
    })

    const giveBack = (unused: number) =>
      unused <= 0
        ? Effect.void
        : sql`update bridge_budgets set tokens = tokens + ${unused}::integer where name = ${name}`.pipe(
            Effect.orDie,
            Effect.asVoid,
          )

    return { take, giveBack }
  })
