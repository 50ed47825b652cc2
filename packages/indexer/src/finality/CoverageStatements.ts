import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type SlotRange, union } from "../sources/SlotRanges.ts"

/** Slots whose transactions are all in the log, up to an offset. */
export interface Covered extends SlotRange {
  readonly provenBy: string
  readonly logOffset: bigint
}

/** Folded ranges that lie next to each other, of the same source, and the one that stands for them. */
export const joinable = <A extends Covered & { readonly provenAt: Date }>(
  folded: ReadonlyArray<A>,
): ReadonlyArray<{ readonly parts: ReadonlyArray<A>; readonly joined: A }> =>
  [...Map.groupBy(folded, ({ provenBy }) => provenBy).values()].flatMap((ofSource) =>
    union(ofSource).flatMap((range) => {
      const parts = ofSource.filter(({ fromSlot, toSlot }) => fromSlot >= range.fromSlot && toSlot <= range.toSlot)
      if (parts.length < 2) return []
      // Proofs follow each other while nothing comes into the log.
      const isNewer = (one: A, other: A) =>
        one.logOffset === other.logOffset ? one.provenAt > other.provenAt : one.logOffset > other.logOffset
      const newest = parts.reduce((left, right) => (isNewer(right, left) ? right : left))
      return { parts, joined: { ...newest, ...range } }
    }),
  )

/** SQL of `coverage`: ranges that do not overlap. */
export const coverageStatements = (sql: SqlClient) => {
  const all = sql<Covered>`select from_slot, to_slot, proven_by, log_offset from coverage order by from_slot`

  /**
   * Joins adjacent ranges once both are folded; joined earlier, the whole range would count only when its newest part
   * does. Only ranges of the same source are joined, because sources prove different things.
   */
  const join = Effect.gen(function* () {
    const folded = yield* sql<Covered & { readonly provenAt: Date }>`
      select from_slot, to_slot, proven_by, proven_at, log_offset from coverage c where ${sql.literal(isFolded("c"))} order by from_slot`
    for (const { joined, parts } of joinable(folded)) {
      yield* sql`delete from coverage where from_slot = any(${parts.map(({ fromSlot }) => fromSlot)}::bigint[])`
      yield* sql`insert into coverage ${sql.insert({ ...joined })}`
    }
  })

  /** Adds a proven range that was not covered before. Within a transaction. */
  const add = ({ fromSlot, logOffset, provenBy, toSlot }: Covered, now: Date) =>
    Effect.andThen(
      sql`insert into coverage ${sql.insert({ fromSlot, toSlot, provenBy, provenAt: now, logOffset })}`,
      join,
    )

  return { all, add, join }
}
