import { firstOrdinalOf, slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { SlotRange } from "../sources/SlotRanges.ts"

/** Rows per statement, to keep locks and transactions short. */
export const TRANSACTIONS_BATCH = 5_000
export const SEGMENTS_BATCH = 100
export const POISON_BATCH = 500
export const LETTERS_BATCH = 1_000

/** What a batch deleted, and the highest slot in it. */
interface Deleted {
  readonly rows: number
  readonly slot: bigint | null
}

/** SQL that finds what may be deleted from the log, and deletes it. */
export const retentionStatements = (sql: SqlClient) => {
  /** The newest fact in slots up to this one. */
  const newestFact = (slot: bigint) =>
    Effect.map(
      sql<{ readonly ordinal: bigint; readonly blockTime: Date }>`
        select ordinal, block_time from (
          (select ordinal, block_time from trades where ordinal < ${firstOrdinalOf(slot + 1n)} order by ordinal desc limit 1)
          union all
          (select ordinal, block_time from dbc_events where ordinal < ${firstOrdinalOf(slot + 1n)} order by ordinal desc limit 1)
        ) newest order by ordinal desc limit 1`,
      ([row]) => row,
    )

  /** The last of these slots with a fact from before `time`: blocks are in the order of time. */
  const lastSlotBefore = Effect.fnUntraced(function* ({ fromSlot, toSlot }: SlotRange, time: Date) {
    const isBefore = Effect.fnUntraced(function* (slot: bigint) {
      const fact = yield* newestFact(slot)
      return fact === undefined || fact.blockTime < time
    })
    let [before, after] = [fromSlot - 1n, toSlot + 1n]
    while (after - before > 1n) {
      const middle = (before + after) / 2n
      if (yield* isBefore(middle)) before = middle
      else after = middle
    }
    const fact = yield* newestFact(before)
    return fact === undefined ? undefined : slotOf(fact.ordinal)
  })

  return {
    lastSlotBefore,

    /** What was folded, compared with the chain, and counted in the trading windows. */
    comparedOffset: (cursor: bigint, ...checked: ReadonlyArray<bigint>) =>
      Effect.map(
        sql<{ readonly logOffset: bigint }>`
          select least(${checked.reduce((least, one) => (one < least ? one : least), cursor)}::bigint,
            (select (report ->> 'logOffset')::bigint from indexer_reports where name = 'windows')) as log_offset`,
        ([row]) => row!.logOffset,
      ),

    /** Before the newest, whose offset tells where the log ends. */
    beforeNewest: Effect.map(
      sql<{ readonly logOffset: bigint }>`select coalesce(max(log_offset), 0) - 1 as log_offset from inbox_segments`,
      ([row]) => row!.logOffset,
    ),

    /** Deletes the keys of transactions in these slots, from `next` on. */
    deleteTransactions: ({ toSlot }: SlotRange, next: bigint, logOffset: bigint) =>
      Effect.map(
        sql<Deleted>`
          with batch as (
            select slot, signature from inbox_transactions
            where slot between ${next} and ${toSlot} and log_offset <= ${logOffset}
            order by slot limit ${TRANSACTIONS_BATCH}
          ), gone as (
            delete from inbox_transactions t using batch where t.slot = batch.slot and t.signature = batch.signature
          )
          select count(*)::integer as rows, max(slot) as slot from batch`,
        ([row]) => row!,
      ),

    /**
     * Deletes segments that hold nothing but transactions of these slots, from `next` on. One with a dead letter stays as
     * long as that does: a later version may be able to decode it.
     */
    deleteSegments: ({ fromSlot, toSlot }: SlotRange, next: bigint, logOffset: bigint) =>
      Effect.map(
        sql<Deleted>`
          with batch as (
            select log_offset, last_slot from inbox_segments s
            where last_slot between ${next} and ${toSlot} and first_slot >= ${fromSlot} and log_offset <= ${logOffset}
              and not exists (select from dead_letters d where d.log_offset = s.log_offset)
            order by last_slot limit ${SEGMENTS_BATCH}
          ), dropped as (
            delete from inbox_dropped d using batch where d.log_offset = batch.log_offset
          ), gone as (
            delete from inbox_segments s using batch where s.log_offset = batch.log_offset
          )
          select count(*)::integer as rows, max(last_slot) as slot from batch`,
        ([row]) => row!,
      ),

    deleteDeadLetters: ({ fromSlot, toSlot }: SlotRange) =>
      sql`
        delete from dead_letters where (log_offset, position) in (
          select log_offset, position from dead_letters
          where slot between ${fromSlot} and ${toSlot} order by slot limit ${LETTERS_BATCH})
        returning slot`,

    deletePoison: (before: Date) =>
      sql`
        delete from inbox_poison where digest in (
          select digest from inbox_poison where received_at < ${before} order by received_at limit ${POISON_BATCH})
        returning received_at`,
  }
}
