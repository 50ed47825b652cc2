import { firstOrdinalOf } from "@launch-registry/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { candleStatements } from "../sink/CandleStatements.ts"
import { claimStatements } from "../sink/ClaimStatements.ts"
import { poolStatements } from "../sink/PoolStatements.ts"
import type { SlotRange } from "../sources/SlotRanges.ts"

/** Rows per statement. */
const FACTS_BATCH = 50_000
const POOLS_BATCH = 2_000

const FACT_TABLES = ["trades", "dbc_events", "fee_claims"] as const

/**
 * Copies the facts of these slots from the live tables into those of the search path, which are empty, and derives their
 * folds. `within` opens a transaction with that search path.
 */
export const copyFacts = Effect.fn("copyFacts")(function* <E>(
  sql: SqlClient,
  { fromSlot, toSlot }: SlotRange,
  within: <A>(work: Effect.Effect<A, SqlError>) => Effect.Effect<A, E>,
) {
  const beyond = firstOrdinalOf(toSlot + 1n)
  for (const table of FACT_TABLES) {
    let next: bigint | null = firstOrdinalOf(fromSlot)
    while (next !== null) {
      const start: bigint = next
      next = yield* within(
        Effect.gen(function* () {
          const [row] = yield* sql<{ readonly end: bigint }>`
            select ordinal as end from public.${sql(table)} where ordinal > ${start} and ordinal < ${beyond}
            order by ordinal offset ${FACTS_BATCH} limit 1`
          yield* sql`
            insert into ${sql(table)} select * from public.${sql(table)}
            where ordinal >= ${start} and ordinal < ${row?.end ?? beyond}`
          return row?.end ?? null
        }),
      )
    }
  }
  yield* within(candleStatements(sql).deriveAll)
  yield* within(claimStatements(sql).deriveTotals)
  const pools = poolStatements(sql)
  for (const column of ["pool", "config"] as const) {
    let after = ""
    for (;;) {
      const names = yield* within(
        Effect.gen(function* () {
          const rows = yield* sql<{ readonly name: string }>`
            select distinct ${sql(column)} as name from dbc_events
            where ${sql(column)} > ${after} and type = ${column === "pool" ? "PoolCreated" : "ConfigCreated"}
            order by name limit ${POOLS_BATCH}`
          const found = rows.map(({ name }) => name)
          yield* pools.derive({ pools: [], configs: [], [`${column}s`]: found })
          return found
        }),
      )
      if (names.length < POOLS_BATCH) break
      after = names.at(-1)!
    }
  }
})
