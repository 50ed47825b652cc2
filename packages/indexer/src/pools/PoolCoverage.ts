import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Covered, joinable } from "../finality/CoverageStatements.ts"

/** SQL of `pool_coverage`: for each pool, ranges that do not overlap. */
export const poolCoverage = (sql: SqlClient) => {
  const of = (pool: string) => sql<Covered>`
    select from_slot, to_slot, proven_by, log_offset from pool_coverage where pool = ${pool} order by from_slot`

  /** As of the program: adjacent ranges of the same source, once both are folded. */
  const join = Effect.fnUntraced(function* (pool: string) {
    const folded = yield* sql<Covered & { readonly provenAt: Date; readonly firstSignature: string | null }>`
      select pool, from_slot, to_slot, proven_by, proven_at, log_offset, first_signature from pool_coverage c
      where pool = ${pool} and ${sql.literal(isFolded("c"))} order by from_slot`
    for (const { joined, parts } of joinable(folded)) {
      yield* sql`
        delete from pool_coverage
        where pool = ${pool} and from_slot = any(${parts.map(({ fromSlot }) => fromSlot)}::bigint[])`
      // What lies below is listed from the lowest part on.
      yield* sql`insert into pool_coverage ${sql.insert({ ...joined, firstSignature: parts[0]!.firstSignature, pool })}`
    }
  })

  return {
    of,

    /** Adds a proven range that was not covered before. Within a transaction. */
    add: (pool: string, { fromSlot, logOffset, provenBy, toSlot }: Covered, now: Date) =>
      Effect.andThen(
        sql`insert into pool_coverage ${sql.insert({ pool, fromSlot, toSlot, provenBy, provenAt: now, logOffset })}`,
        join(pool),
      ),

    /** Where a listing of the slots below a proven range begins. */
    setFirstSignature: (pool: string, fromSlot: bigint, signature: string) => sql`
      update pool_coverage set first_signature = ${signature} where pool = ${pool} and from_slot = ${fromSlot}`,
  }
}
