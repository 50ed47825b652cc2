import { MINUTE } from "@launch-registry/domain/launch/StoredCandle"
import { SLOT_SHIFT } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Rows that are deleted at once. */
const BATCH = 20_000

/** SQL of old trades and minute candles that leave PostgreSQL. */
export const oldTrades = (sql: SqlClient) => ({
  /** All trades with ordinals from this one on are here; 0: all trades. */
  kept: Effect.map(sql<{ readonly keptFrom: bigint }>`select kept_from from indexer_progress`, ([row]) => row!),

  /** From the commit on, trades below and minute candles before are read elsewhere. */
  keepFrom: (ordinal: bigint, minutes: Date | undefined) => sql`
    update indexer_progress set kept_from = ${ordinal}, minutes_from = greatest(minutes_from, ${minutes ?? null}::timestamptz)`,

  /** The tables were replaced by such that have all trades: within the transaction that does so. */
  keepAll: Effect.andThen(
    sql`update indexer_progress set kept_from = 0, minutes_from = null`,
    sql`update inbox_head set closed_from_slot = -1, closed_to_slot = -1`,
  ),

  /** The log takes no transaction of these slots any more. Appends lock the row, so none is in flight after the commit. */
  close: (fromSlot: bigint, toSlot: bigint) => sql`
    update inbox_head set closed_from_slot = case when closed_to_slot < 0 then ${fromSlot}::bigint else closed_from_slot end,
      closed_to_slot = ${toSlot}::bigint
    where closed_to_slot < ${toSlot}`,

  oldestFrom: (ordinal: bigint) =>
    Effect.map(
      sql<{ readonly ordinal: bigint }>`
        select ordinal from trades where ordinal >= ${ordinal} order by ordinal limit 1`,
      ([row]) => row?.ordinal,
    ),

  /** Time of the newest trade below an ordinal. */
  newestBefore: (ordinal: bigint) =>
    Effect.map(
      sql<{ readonly blockTime: Date }>`
        select block_time from trades where ordinal < ${ordinal} order by ordinal desc limit 1`,
      ([row]) => row?.blockTime,
    ),

  endOfBatch: (from: bigint, beyond: bigint) =>
    Effect.map(
      sql<{ readonly ordinal: bigint }>`
        select ordinal from trades where ordinal > ${from} and ordinal < ${beyond} order by ordinal offset ${BATCH} limit 1`,
      ([row]) => row?.ordinal ?? beyond,
    ),

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
