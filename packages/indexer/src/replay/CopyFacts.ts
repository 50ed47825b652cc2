import { firstOrdinalOf, slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SqlError } from "effect/sql/SqlError"
import { foldsOf } from "../sink/Folds.ts"
import type { SlotRange } from "../sources/SlotRanges.ts"

/** Rows per transaction: following waits for each. */
const FACTS_BATCH = 20_000

/**
 * Copies the facts of these slots from `public` as they are, and derives their folds, batch by batch. `within` opens a transaction on the schema
 * that is rebuilt, whose newest row says where the next batch begins. `onSlot` is told how far it is.
 */
export const copyFacts = Effect.fn("copyFacts")(function* <E, E2>(
  sql: SqlClient,
  { fromSlot, toSlot }: SlotRange,
  within: <A>(work: Effect.Effect<A, SqlError>) => Effect.Effect<A, E>,
  onSlot: (slot: bigint) => Effect.Effect<void, E2>,
  batchRows = FACTS_BATCH,
) {
  const [first, beyond] = [firstOrdinalOf(fromSlot), firstOrdinalOf(toSlot + 1n)]

  /** Returns where the next batch begins. */
  const batch = Effect.fnUntraced(function* ({ add, table }: ReturnType<typeof foldsOf>[number]) {
    const [start] = yield* sql<{ readonly start: bigint }>`
      select coalesce(max(ordinal) + 1, ${first}) as start from ${sql(table)} where ordinal >= ${first} and ordinal < ${beyond}`
    const from = start!.start
    const [row] = yield* sql<{ readonly end: bigint }>`
      select ordinal as end from public.${sql(table)} where ordinal > ${from} and ordinal < ${beyond}
      order by ordinal offset ${batchRows} limit 1`
    const end = row?.end ?? beyond
    yield* sql`insert into ${sql(table)} select * from public.${sql(table)} where ordinal >= ${from} and ordinal < ${end}`
    yield* add(from, end)
    return end
  })

  for (const fold of foldsOf(sql))
    for (let next = first; next < beyond;) {
      next = yield* within(batch(fold))
      if (next < beyond) yield* onSlot(slotOf(next))
    }
})
