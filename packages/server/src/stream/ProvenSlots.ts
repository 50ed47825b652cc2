import type { Venue } from "@launch-registry/domain/pools/Venue"
import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Where something happened; on an AMM pool its slot is proven by that pool. */
export interface PlaceOnChain {
  readonly venue: Venue
  readonly pool: string
  readonly slot: bigint
}

interface Range {
  /** Null for that of the DBC program. */
  readonly pool: string | null
  readonly fromSlot: bigint
  readonly toSlot: bigint
}

/** From the range that the first of these slots may be in, to the last of them. */
const within = (ranges: string, first: bigint, last: bigint, sql: SqlClient) => sql`
  c.from_slot <= ${last} and c.from_slot >= coalesce((
    select from_slot from ${sql.literal(ranges)} b.from_slot <= ${first} order by from_slot desc limit 1
  ), 0) and c.to_slot >= ${first} and ${sql.literal(isFolded("c"))}`

/** Whether slots are proven against the finalized chain, and all that the proof covers is folded; one statement for all. */
export const provenSlots = (sql: SqlClient) =>
  Effect.fnUntraced(function* (places: ReadonlyArray<PlaceOnChain>) {
    const slots = places.map(({ slot }) => slot)
    const first = slots.reduce((least, slot) => (slot < least ? slot : least), slots[0] ?? 0n)
    const last = slots.reduce((most, slot) => (slot > most ? slot : most), 0n)
    const pools = [...new Set(places.flatMap(({ pool, venue }) => (venue === "dbc" ? [] : [pool])))]
    const ranges =
      places.length === 0
        ? []
        : yield* sql<Range>`
            select null::text as pool, from_slot, to_slot from coverage c
            where c.pool = '' and ${within("coverage b where b.pool = '' and", first, last, sql)}
            union all
            select p.pool, r.from_slot, r.to_slot from unnest(${pools}::text[]) p (pool)
            cross join lateral (
              select from_slot, to_slot from coverage c
              where c.pool = p.pool and ${within("coverage b where b.pool = p.pool and", first, last, sql)}
            ) r`
    const rangesOf = Map.groupBy(ranges, ({ pool }) => pool)
    return ({ pool, slot, venue }: PlaceOnChain): boolean =>
      rangesOf
        .get(venue === "dbc" ? null : pool)
        ?.some(({ fromSlot, toSlot }) => fromSlot <= slot && slot <= toSlot) === true
  })
