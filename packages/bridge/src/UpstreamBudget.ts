import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sharedClock } from "@launch-registry/postgres/SharedClock"

/**
 * watch: polling swaps and submitting deposits, in the background. unpaid: the part of it for swaps without a deposit. quote:
 * all quotes, which callers wait for. dry: the part of it for dry quotes. tokens: the list. Separate, so that none starves the
 * others.
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
  /** Gives back unused requests. */
  readonly giveBack: (unused: number) => Effect.Effect<void>
}

/**
 * Requests that all processes together may make to the swap service. The bucket is a row, so any number of processes share
 * it and a crashed process loses only what it had taken.
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
      // After waiting for the lock `now` may be before `refilled_at`: nothing is refilled twice then.
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
