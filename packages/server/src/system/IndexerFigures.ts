import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type HistoryFigures, selectHistory } from "./HistoryFigures.ts"
import { type PoolsRow, selectPools, selectProgress, selectWatermark } from "./IndexerStatements.ts"

/** Rows are counted up to this number, to bound the cost. */
const COUNTED_MAX = 100_000

/** Tables are rebuilt in a schema whose name begins so. */
const REBUILD_SCHEMA = "derived_"

interface CountsRow {
  readonly poison: bigint
  readonly deadLetters: bigint
  readonly dropped: bigint
  readonly oldestPendingSeconds: number | null
  readonly isRebuilding: boolean
}

const selectCounts = (sql: SqlClient) => sql<CountsRow>`
  select
    (select count(*) from (select 1 from inbox_poison limit ${COUNTED_MAX}) few) as poison,
    (select count(*) from (select 1 from dead_letters limit ${COUNTED_MAX}) few) as dead_letters,
    (select count(*) from (select 1 from inbox_dropped limit ${COUNTED_MAX}) few) as dropped,
    (select extract(epoch from now() - s.received_at)::float8 from inbox_segments s
      where s.log_offset > coalesce(c.log_offset, 0) order by s.log_offset limit 1) as oldest_pending_seconds,
    exists (select from pg_namespace where starts_with(nspname, ${REBUILD_SCHEMA})) as is_rebuilding
  from (values (1)) one
  left join (select log_offset from cursors order by log_offset desc, slot desc limit 1) c on true`

/** The progress of the index in numbers, from the same rows as its report, at a cost that does not depend on the ranges proven. */
export interface IndexerFigures {
  readonly hasLeader: boolean
  readonly isRebuilding: boolean
  readonly indexedSlot: bigint | null
  /** For every table. */
  readonly provenSlot: bigint | null
  readonly programProvenSlot: bigint | null
  readonly finalizedSlot: bigint | null
  /** What is finalized and not proven for the program, by the pace of the chain; null while unknown, or with `INDEXER_SOURCE=off`. */
  readonly unprovenSeconds: number | null
  readonly reportAgeSeconds: number | null
  readonly pendingSegments: bigint
  /** Age of the oldest segment that is not indexed; 0 without one. */
  readonly lagSeconds: number
  readonly poison: bigint
  readonly deadLetters: bigint
  readonly dropped: bigint
  /** Migrated pools; null before the leader reported them. */
  readonly pools: PoolsRow | null
  /** Null where no trade was sent to ClickHouse. */
  readonly history: HistoryFigures | null
}

export const readIndexerFigures = (sql: SqlClient) =>
  Effect.map(
    Effect.all(
      [selectProgress(sql), selectWatermark(sql), selectCounts(sql), selectPools(sql), selectHistory(sql)] as const,
      { concurrency: "unbounded" },
    ),
    ([[progress], [watermark], [counts], [pools], history]): IndexerFigures => {
      const { finalizedSlot, programWatermarkSlot, reportSeconds, unprovenSeconds, watermarkSlot } = watermark!
      const { deadLetters, dropped, isRebuilding, oldestPendingSeconds, poison } = counts!
      return {
        hasLeader: progress!.isLed,
        isRebuilding: isRebuilding && progress!.isLed,
        indexedSlot: progress!.slot,
        provenSlot: watermarkSlot,
        programProvenSlot: programWatermarkSlot,
        ...{ finalizedSlot, unprovenSeconds },
        reportAgeSeconds: reportSeconds,
        pendingSegments: progress!.pendingSegments,
        lagSeconds: oldestPendingSeconds ?? 0,
        ...{ poison, deadLetters, dropped },
        pools: pools ?? null,
        history: history ?? null,
      }
    },
  )
