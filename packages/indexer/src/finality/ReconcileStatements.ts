import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { firstOrdinalOf } from "@launch-registry/domain/solana/Ordinal"
import { OF_PROGRAM } from "./CoverageStatements.ts"
import type { LogEntry } from "../inbox/IngestLog.ts"

/** A delivery is at most this far ahead of the slot that a node has reached. */
const SLOTS_AHEAD_MAX = 1_000n

/** Compressed bytes of segments that are read at once; they take some ten times as much memory. */
const BYTES_MAX = 4 * 1024 * 1024

/** Whether what was fetched from the chain itself counts as well: as confirmed, or as final. */
export type SegmentsOf = "received" | "delivered" | "from any source"

const FETCHED: { readonly [which in SegmentsOf]: ReadonlyArray<string> } = {
  received: ["backfill", "follow"],
  delivered: ["backfill"],
  "from any source": [],
}

/** SQL over the log for comparing it with the chain. */
export const reconcileStatements = (sql: SqlClient) => ({
  entriesBetween: (fromSlot: bigint, toSlot: bigint) => sql<LogEntry>`
    select log_offset, position, slot, signature from inbox_transactions
    where slot between ${fromSlot} and ${toSlot}`,

  /** The given segments, or those of them that did not come from the chain itself, lowest first, as many as fit. */
  segmentsOf: (logOffsets: ReadonlyArray<bigint>, which: SegmentsOf) =>
    sql<{ readonly logOffset: bigint; readonly bytes: Uint8Array }>`
      select log_offset, bytes from (
        select log_offset, bytes, sum(octet_length(bytes)) over (order by log_offset) - octet_length(bytes) as bytes_before
        from inbox_segments where log_offset = any(${logOffsets}::bigint[]) and source <> all(${FETCHED[which]}::text[])
      ) s
      where bytes_before < ${BYTES_MAX}::integer order by log_offset`,

  /** The lowest finalized transaction above `slot`: it lies in proven slots. */
  firstCoveredAbove: (slot: bigint) =>
    Effect.map(
      sql<{ readonly signature: string }>`
        select t.signature from coverage c
        cross join lateral (
          select signature from inbox_transactions
          where slot between greatest(c.from_slot, ${slot + 1n}) and c.to_slot and log_offset <= c.log_offset
          order by slot limit 1
        ) t
        where c.pool = ${OF_PROGRAM} and c.to_slot > ${slot} order by c.from_slot limit 1`,
      ([row]) => row?.signature,
    ),

  /** Transactions in covered slots that were appended after one offset, up to another. */
  lateEntries: (after: bigint, upTo: bigint) => sql<LogEntry>`
    select t.log_offset, t.position, t.slot, t.signature
    from inbox_transactions t join inbox_segments s using (log_offset)
    where t.log_offset > ${after} and t.log_offset <= ${upTo} and s.source <> 'backfill'
      and exists (select from coverage c where c.pool = ${OF_PROGRAM} and t.slot between c.from_slot and c.to_slot)`,

  /**
   * Delivered between two offsets, in slots that are proven late or never: below the origin, or far above the slot that nodes have
   * reached. Finality is no measure: a node that is a slot behind does not know yet what was delivered, and finality may stand still.
   */
  strayEntries: (after: bigint, upTo: bigint, originSlot: bigint, processedSlot: bigint) => sql<LogEntry>`
    select t.log_offset, t.position, t.slot, t.signature
    from inbox_transactions t join inbox_segments s using (log_offset)
    where t.log_offset > ${after} and t.log_offset <= ${upTo} and s.source = 'webhook'
      and (t.slot < ${originSlot} or t.slot > ${processedSlot + SLOTS_AHEAD_MAX})
      and not exists (select from coverage c where c.pool = ${OF_PROGRAM} and t.slot between c.from_slot and c.to_slot)`,

  /** Those that have facts in the tables, or may still get them. */
  withFacts: (entries: ReadonlyArray<LogEntry>) => sql<LogEntry>`
    select e.log_offset, e.position, e.slot, e.signature
    from unnest(
      ${entries.map(({ logOffset }) => logOffset)}::bigint[], ${entries.map(({ position }) => position)}::integer[],
      ${entries.map(({ slot }) => slot)}::bigint[], ${entries.map(({ signature }) => signature)}::text[],
      ${entries.map(({ slot }) => firstOrdinalOf(slot))}::bigint[],
      ${entries.map(({ slot }) => firstOrdinalOf(slot + 1n) - 1n)}::bigint[]
    ) as e(log_offset, position, slot, signature, first, last)
    where e.log_offset > (select log_offset from indexer_progress)
      or exists (select from trades t where t.ordinal between e.first and e.last and t.signature = e.signature)
      or exists (select from dbc_events v where v.ordinal between e.first and e.last and v.signature = e.signature)`,

  /** Up to where the log was checked for late arrivals. */
  checkedOffset: Effect.map(
    sql<{ readonly logOffset: bigint }>`select checked_offset as log_offset from indexer_progress`,
    ([row]) => row!.logOffset,
  ),

  setCheckedOffset: (logOffset: bigint) => sql`update indexer_progress set checked_offset = ${logOffset}`,
})
