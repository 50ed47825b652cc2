import { firstOrdinalOf, SLOT_SHIFT } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { LogEntry } from "../inbox/IngestLog.ts"
import type { Listing } from "../sources/ChainHistory.ts"
import { bigintArray, textArray } from "../sql/ArrayParameter.ts"

/** SQL over the log and the trades on migrated pools. */
export const poolEntries = (sql: SqlClient) => {
  const shift = sql.literal(String(SLOT_SHIFT))

  /** Pools that a transaction `t` of the log has trades on. */
  const tradedBy = sql`
    cross join lateral (
      select distinct pool from trades
      where ordinal >= t.slot << ${shift} and ordinal < (t.slot + 1) << ${shift} and signature = t.signature
        and venue <> 'dbc'
    ) d`

  return {
    /** What the log holds of a listing, and what it has trades of the pool from in these slots. */
    ofListing: (pool: string, { fromSlot, listed, toSlot }: Listing) => sql<LogEntry>`
      select e.log_offset, e.position, e.slot, e.signature
      from (
        select ordinal >> ${shift} as slot, signature from trades
        where pool = ${pool} and venue <> 'dbc'
          and ordinal >= ${firstOrdinalOf(fromSlot)} and ordinal < ${firstOrdinalOf(toSlot + 1n)}
        union
        select l.slot, l.signature from unnest(${bigintArray(listed.map(({ slot }) => slot))}::bigint[],
          ${textArray(listed.map(({ signature }) => signature))}::text[]) as l(slot, signature)
      ) k
      join inbox_transactions e on e.slot = k.slot and e.signature = k.signature`,

    /** The offset that the tables are derived up to. */
    folded: Effect.map(
      sql<{ readonly logOffset: bigint }>`select log_offset from indexer_progress`,
      ([row]) => row!.logOffset,
    ),

    /** Pools with trades that arrived between two offsets, and the newest slot of these. */
    active: (after: bigint, upTo: bigint) => sql<{ readonly pool: string; readonly slot: bigint }>`
      select d.pool, max(t.slot) as slot
      from inbox_transactions t join inbox_segments s using (log_offset) ${tradedBy}
      where t.log_offset > ${after} and t.log_offset <= ${upTo} and s.source <> 'backfill'
      group by d.pool`,

    /** Those of them that arrived in slots that were proven for their pool. */
    late: (after: bigint, upTo: bigint) => sql<LogEntry & { readonly pool: string }>`
      select t.log_offset, t.position, t.slot, t.signature, d.pool
      from inbox_transactions t join inbox_segments s using (log_offset) ${tradedBy}
      where t.log_offset > ${after} and t.log_offset <= ${upTo} and s.source <> 'backfill'
        and exists (
          select from coverage c where c.pool = d.pool and t.slot between c.from_slot and c.to_slot)`,

    /** Up to where the log was looked through for trades on migrated pools; `undefined` before. */
    checkedOffset: Effect.map(
      sql<{ readonly logOffset: bigint | null }>`select pools_checked_offset as log_offset from indexer_progress`,
      ([row]) => row!.logOffset ?? undefined,
    ),

    setCheckedOffset: (logOffset: bigint) => sql`update indexer_progress set pools_checked_offset = ${logOffset}`,

    /**
     * A transaction of the pool in slots above this one that are proven: the lowest that was listed there, or else that has a trade.
     * Between them there may be any number of failed ones.
     */
    firstCoveredAbove: (pool: string, slot: bigint) =>
      Effect.map(
        sql<{ readonly signature: string }>`
          select coalesce(f.signature, t.signature) as signature from coverage c
          cross join lateral (select case when c.from_slot > ${slot} then c.first_signature end as signature) f
          left join lateral (
            select signature from trades
            where pool = ${pool} and venue <> 'dbc' and ordinal >= greatest(c.from_slot, ${slot + 1n}) << ${shift}
              and ordinal < (c.to_slot + 1) << ${shift}
            order by ordinal limit 1
          ) t on f.signature is null
          where c.pool = ${pool} and c.to_slot > ${slot} and coalesce(f.signature, t.signature) is not null
          order by c.from_slot limit 1`,
        ([row]) => row?.signature,
      ),
  }
}
