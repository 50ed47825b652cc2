import { MINUTE } from "@launch-registry/domain/launch/StoredCandle"
import { SLOT_SHIFT } from "@launch-registry/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** SQL that deletes old trades and minute candles. */
export const oldTrades = (sql: SqlClient) => ({
  /**
   * Deletes the trades from one ordinal up to before another, and those of the same pools that stayed before. What stays is the newest trade
   * of each pool, which says what it was worth last, also after later trades were reverted, and the trades in the slot in which a pool was
   * created. Returns the time of the newest that was deleted.
   */
  deleteTrades: (from: bigint, beyond: bigint) =>
    Effect.map(
      sql<{ readonly newest: Date | null }>`
        with newest as (
          select base_mint, pool, max(ordinal) as ordinal from trades
          where ordinal >= ${from} and ordinal < ${beyond} group by base_mint, pool
        ), gone as (
          delete from trades t using (
            select o.ordinal, o.signature from newest n left join dbc_pools p on p.pool = n.pool
            cross join lateral (
              select ordinal, signature from trades
              where base_mint = n.base_mint and pool = n.pool and ordinal < n.ordinal offset 0
            ) o
            where o.ordinal >> ${sql.literal(String(SLOT_SHIFT))} is distinct from p.created_slot
          ) o
          where t.ordinal = o.ordinal and t.signature = o.signature
          returning t.block_time
        )
        select max(block_time) as newest from gone`,
      ([row]) => row?.newest ?? undefined,
    ),

  /** Deletes the minute candles that begin before a time. Hours and the whole life stay. */
  deleteMinutes: (before: Date) => sql`
    delete from candles where seconds = ${sql.literal(String(MINUTE))} and bucket < ${before}`,
})
