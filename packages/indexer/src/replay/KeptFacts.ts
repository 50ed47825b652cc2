import { firstOrdinalOf, slotOf } from "@launch-registry/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { candleStatements } from "../sink/CandleStatements.ts"
import { claimStatements } from "../sink/ClaimStatements.ts"
import { FACT_TABLES } from "../sink/DerivedTables.ts"
import { poolStatements } from "../sink/PoolStatements.ts"
import type { SlotRange } from "../sources/SlotRanges.ts"

/** Rows per transaction: following waits for each. */
const FACTS_BATCH = 20_000
const POOLS_BATCH = 2_000

/** Of a step that is done; after every ordinal, and after every address. */
const DONE = "~"

/**
 * Copies the facts of these slots from the live tables into the shadow tables, and derives their folds. What was copied is noted in
 * `copied_facts` with each batch, so it goes on where it ended. `within` opens a transaction on the shadow tables. `onSlot` is told how far
 * it is.
 */
export const copyFacts = Effect.fn("copyFacts")(function* <E, E2>(
  sql: SqlClient,
  { fromSlot, toSlot }: SlotRange,
  within: <A>(work: Effect.Effect<A, SqlError>) => Effect.Effect<A, E>,
  onSlot: (slot: bigint) => Effect.Effect<void, E2>,
) {
  const beyond = firstOrdinalOf(toSlot + 1n)
  const candles = candleStatements(sql)
  const claims = claimStatements(sql)
  const pools = poolStatements(sql)

  const note = (step: string, reached: string) => sql`
    insert into copied_facts (step, reached) values (${step}, ${reached})
    on conflict (step) do update set reached = excluded.reached`

  /** Does a step batch by batch, each given where the one before ended and returning where it ends; `undefined`: at the end. */
  const step = Effect.fnUntraced(function* (
    name: string,
    batch: (reached: string | undefined) => Effect.Effect<string | undefined, SqlError>,
    onBatch: (reached: string) => Effect.Effect<void, E2>,
  ) {
    for (;;) {
      const reached = yield* within(
        Effect.gen(function* () {
          const [row] = yield* sql<{ readonly reached: string }>`select reached from copied_facts where step = ${name}`
          if (row?.reached === DONE) return DONE
          const next = (yield* batch(row?.reached)) ?? DONE
          yield* note(name, next)
          return next
        }),
      )
      if (reached === DONE) return
      yield* onBatch(reached)
    }
  })

  for (const table of FACT_TABLES)
    yield* step(
      table,
      Effect.fnUntraced(function* (reached) {
        const start = reached === undefined ? firstOrdinalOf(fromSlot) : BigInt(reached)
        const [row] = yield* sql<{ readonly end: bigint }>`
          select ordinal as end from public.${sql(table)} where ordinal > ${start} and ordinal < ${beyond}
          order by ordinal offset ${FACTS_BATCH} limit 1`
        const end = row?.end ?? beyond
        yield* sql`
          insert into ${sql(table)} select * from public.${sql(table)} where ordinal >= ${start} and ordinal < ${end}`
        if (table === "trades") yield* candles.mergeTradesOf(start, end)
        if (table === "fee_claims") yield* claims.addClaimsOf(start, end)
        return row === undefined ? undefined : String(end)
      }),
      (reached) => onSlot(slotOf(BigInt(reached))),
    )
  for (const column of ["pool", "config"] as const)
    yield* step(
      `${column}s`,
      Effect.fnUntraced(function* (reached = "") {
        const rows = yield* sql<{ readonly name: string }>`
          select distinct ${sql(column)} as name from dbc_events
          where ${sql(column)} > ${reached} and type = ${column === "pool" ? "PoolCreated" : "ConfigCreated"}
          order by name limit ${POOLS_BATCH}`
        const found = rows.map(({ name }) => name)
        yield* pools.derive({ pools: [], configs: [], [`${column}s`]: found })
        return found.length < POOLS_BATCH ? undefined : found.at(-1)
      }),
      () => Effect.void,
    )
})
