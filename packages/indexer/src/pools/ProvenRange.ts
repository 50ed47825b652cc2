import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type SlotRange, union } from "../sources/SlotRanges.ts"

/** SQL of the slots that are proven without a gap and folded, for the program and every migrated pool alike. */
export const provenRange = (sql: SqlClient) => {
  const ofProgram = (slot: bigint) =>
    Effect.map(
      sql<SlotRange>`select from_slot, to_slot from coverage c where pool = '' and ${sql.literal(isFolded("c"))} order by from_slot`,
      (ranges) => union(ranges).find(({ fromSlot, toSlot }) => fromSlot <= slot && slot <= toSlot),
    )

  /** Up to which slot every migrated pool is proven, from where it is followed, or from a later slot on; `undefined` without pools. */
  const poolsTo = (from: bigint) =>
    Effect.map(
      sql<{ readonly toSlot: bigint | null }>`
        select least(min(coalesce(gap, last)), (
          select greatest(min(p.migrated_slot), ${from}::bigint) - 1 from dbc_pools p
          where p.migrated_pool is not null and not exists (select from followed_pools f where f.pool = p.migrated_pool)
          having count(*) > 0
        )) as to_slot from (
          select pool, min(before) filter (where from_slot is null or from_slot > before + 1) as gap,
            max(greatest(to_slot, before)) as last
          from (
            select f.pool, c.from_slot, c.to_slot, greatest(f.from_slot - 1, ${from}::bigint - 1, max(c.to_slot) over (
              partition by f.pool order by c.from_slot rows between unbounded preceding and 1 preceding)) as before
            from followed_pools f left join coverage c on c.pool = f.pool and ${sql.literal(isFolded("c"))}
            where f.venue is not null
          ) ranges group by pool
        ) pools`,
      ([row]) => row?.toSlot ?? undefined,
    )

  const within = Effect.fnUntraced(function* (slot: bigint, poolsFrom: bigint) {
    const found = yield* ofProgram(slot)
    const pools = found === undefined ? undefined : yield* poolsTo(poolsFrom)
    if (found === undefined || pools === undefined || pools >= found.toSlot) return found
    return pools < found.fromSlot ? undefined : { ...found, toSlot: pools }
  })

  return {
    /** The range around `slot`; of pools, all that is followed of them counts, also below it. */
    around: (slot: bigint) => within(slot, 0n),

    /** The last slot of the range that begins with `slot`; `undefined` if that is not proven. */
    onFrom: (slot: bigint) =>
      Effect.map(within(slot, slot), (range) =>
        range === undefined || range.toSlot < slot ? undefined : range.toSlot,
      ),
  }
}
