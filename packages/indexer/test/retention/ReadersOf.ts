import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"

/** What a reader saw at once of trades and candles. */
export interface Seen {
  readonly trades: number
  readonly oldest: bigint | null
  /** Pools without any trade. */
  readonly bare: number
  readonly candles: number
}

/** Reads trades and candles all the time, in other connections, while `work` is done; returns its result and all that was seen. A read that fails, fails this. */
export const whileRead = Effect.fnUntraced(function* <A, E, R>(work: Effect.Effect<A, E, R>) {
  const sql = yield* SqlClient
  const [{ name }] = (yield* sql<{ name: string }>`select current_database() as name`) as [{ name: string }]
  const seen: Array<Seen> = []
  const reader = Effect.gen(function* () {
    const own = yield* SqlClient
    while (true) {
      const [row] = yield* own<Seen>`
        select count(*)::integer as trades, min(ordinal) as oldest,
          (select count(*)::integer from dbc_pools p
            where not exists (select from trades t where t.pool = p.pool)
              and exists (select from candles c where c.base_mint = p.base_mint and c.seconds = 0)) as bare,
          (select count(*)::integer from candles) as candles
        from trades`
      seen.push(row!)
      yield* own`
        select t.ordinal from dbc_pools p
        cross join lateral (select ordinal from trades where base_mint = p.base_mint order by ordinal desc limit 5) t`
    }
  }).pipe(Effect.provide(TestDatabase.connectionsTo(name)))
  const reading = yield* Effect.forkChild(Effect.all([reader, reader], { concurrency: "unbounded", discard: true }))
  const countAtLeast = (count: number) =>
    Effect.gen(function* () {
      while (seen.length < count) yield* Effect.sleep(5)
    })
  yield* Effect.raceFirst(countAtLeast(4), Fiber.join(reading))
  const result = yield* Effect.raceFirst(work, Effect.andThen(Fiber.join(reading), Effect.never))
  yield* Effect.raceFirst(countAtLeast(seen.length + 4), Fiber.join(reading))
  yield* Fiber.interrupt(reading)
  return { result, seen }
})
