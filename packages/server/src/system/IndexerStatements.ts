import { INDEXER_LEASE } from "@launch-registry/domain/system/LeaderReport"
import type { IndexerReport } from "@launch-registry/domain/system/IndexerReport"
import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { SLOT_MAX, slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import type { Fragment } from "effect/sql/Statement"
import { type Failing, type IndexerReports, type LeaderSays, readReports } from "./IndexerReports.ts"

/** Segments are counted up to this number, to bound the cost. */
const PENDING_MAX = 100_000
/** Maximum number of ranges in a report. */
const RANGES_MAX = 1_000
export interface ProgressRow {
  /** Whether an indexer ever ran. */
  readonly hasRun: boolean
  readonly holder: string | null
  /** Null if the lease was released. */
  readonly expiresAt: Date | null
  readonly isLed: boolean
  readonly moduleHash: string | null
  readonly slot: bigint | null
  readonly logOffset: bigint | null
  readonly nextOffset: bigint
  readonly pendingSegments: bigint
  /** Age of the oldest segment that is not indexed; null without one. */
  readonly oldestPendingSeconds: number | null
  /** The last slot that was deleted from the log; -1 for none. */
  readonly prunedToSlot: bigint
}

/** The leader and the progress of the index: one row. */
const selectProgress = (sql: SqlClient) => sql<ProgressRow>`
  select l.name is not null as has_run, l.holder, case when isfinite(l.expires_at) then l.expires_at end as expires_at,
    coalesce(l.expires_at > now(), false) as is_led,
    c.module_hash, c.slot, case when c.module_hash is not null then c.log_offset end as log_offset,
    h.next_offset, h.pruned_to_slot,
    (select count(*) from (
      select 1 from inbox_segments s where s.log_offset > c.log_offset limit ${PENDING_MAX}
    ) pending) as pending_segments,
    (select extract(epoch from now() - s.received_at)::float8 from inbox_segments s
      where s.log_offset > c.log_offset order by s.log_offset limit 1) as oldest_pending_seconds
  from inbox_head h
  cross join indexer_progress c
  left join leases l on l.name = ${INDEXER_LEASE}`

/** Rows are counted up to this number, to bound the cost. */
const COUNTED_MAX = 100_000

/** Tables are rebuilt in a schema whose name begins so. */
const REBUILD_SCHEMA = "derived_"

interface CountsRow {
  readonly poison: bigint
  readonly deadLetters: bigint
  readonly dropped: bigint
  readonly isRebuilding: boolean
}

/** What could not be read, decoded, or found on the finalized chain. */
export const selectCounts = (sql: SqlClient) => sql<CountsRow>`
  select
    (select count(*) from (select 1 from inbox_poison limit ${COUNTED_MAX}) few) as poison,
    (select count(*) from (select 1 from dead_letters limit ${COUNTED_MAX}) few) as dead_letters,
    (select count(*) from (select 1 from inbox_dropped limit ${COUNTED_MAX}) few) as dropped,
    exists (select from pg_namespace where starts_with(nspname, ${REBUILD_SCHEMA})) as is_rebuilding`

/** Ranges of the program that are proven, and the gaps between the origin and the finalized slot. A proof counts once all that was in the log at its time is indexed. */
const proof = (sql: SqlClient, { finalizedSlot, originSlot }: LeaderSays): Fragment => sql`
  proven as (
    select from_slot, to_slot, proven_by, proven_at, lead(from_slot) over (order by from_slot) as next_slot
    from coverage c
    where c.pool = '' and ${sql.literal(isFolded("c"))} and from_slot >= 0 and to_slot <= ${SLOT_MAX}
  ), gaps as (
    select * from (
      select greatest(to_slot + 1, ${originSlot}::bigint) as from_slot, coalesce(next_slot - 1, ${finalizedSlot}::bigint) as to_slot
      from proven
      union all
      select ${originSlot}::bigint, coalesce((select min(from_slot) - 1 from proven), ${finalizedSlot}::bigint)
    ) between_proven where from_slot <= to_slot
  )`

interface RangesRow {
  readonly coverage: IndexerReport["coverage"]
  readonly gaps: IndexerReport["gaps"]
}

/** The latest ranges that are proven, and gaps. */
export const selectRanges = (sql: SqlClient, leader: LeaderSays) => sql<RangesRow>`
  with ${proof(sql, leader)}
  select
    (select coalesce(json_agg(json_build_object(
      'fromSlot', from_slot::text, 'toSlot', to_slot::text, 'provenBy', proven_by,
      'provenAt', to_char(proven_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) order by from_slot), '[]') from (select * from proven order by from_slot desc limit ${RANGES_MAX}) latest) as coverage,
    (select coalesce(json_agg(json_build_object('fromSlot', from_slot::text, 'toSlot', to_slot::text) order by from_slot), '[]')
      from (select * from gaps order by from_slot desc limit ${RANGES_MAX}) latest) as gaps`

/** Up to which slot everything is proven. */
export interface Watermarks {
  /** For every table: the lower one of the others. */
  readonly watermarkSlot: bigint | null
  readonly programWatermarkSlot: bigint | null
  /** Null without pools, and where the leader has not said. */
  readonly poolsWatermarkSlot: bigint | null
  readonly hasPools: boolean
  /** What is finalized and not proven for the program, in seconds by the pace of the chain; null while unknown, or with `INDEXER_SOURCE=off`. */
  readonly unprovenSeconds: number | null
}

interface MarksRow {
  readonly firstGap: bigint | null
  readonly lastProven: bigint | null
  readonly hasPools: boolean
}

/**
 * How far everything is proven: for the program the slot before the first gap after the origin; for migrated pools what the leader says, which
 * looks at each of them. Without a pool that is followed, or will be, the program is all there is.
 */
const readWatermarks = Effect.fnUntraced(function* (sql: SqlClient, { leader, pools }: IndexerReports) {
  const { finalizedSlot, originSlot, slotMillis, source } = leader
  const [row] = yield* sql<MarksRow>`
    with ${proof(sql, leader)}
    select (select min(from_slot) from gaps) as first_gap,
      (select max(to_slot) from proven where to_slot >= ${originSlot}::bigint) as last_proven,
      exists (select from followed_pools where venue is not null) or exists (
        select from dbc_pools d where d.migrated_pool is not null
          and not exists (select from followed_pools f where f.pool = d.migrated_pool)) as has_pools`
  const { firstGap, hasPools, lastProven } = row!
  const upToGap = firstGap === originSlot || firstGap === null ? null : firstGap - 1n
  const program = originSlot === null ? null : firstGap === null ? lastProven : upToGap
  const ofPools = hasPools ? (pools?.provenSlot ?? null) : null
  const isEach = program !== null && ofPools !== null && ofPools >= originSlot!
  const everything = isEach ? (ofPools < program ? ofPools : program) : null
  const from = program ?? (originSlot === null ? null : originSlot - 1n)
  const isKnown = source !== null && source !== "off" && finalizedSlot !== null && from !== null
  return {
    watermarkSlot: hasPools ? everything : program,
    programWatermarkSlot: program,
    poolsWatermarkSlot: ofPools,
    hasPools,
    unprovenSeconds: isKnown ? Math.max((Number(finalizedSlot - from) * slotMillis) / 1000, 0) : null,
  } satisfies Watermarks
})

/** How far trades have been sent to ClickHouse, and how the leader gets on with it. */
export interface HistoryProgress extends Failing {
  /** Trades of slots up to this one are there; null before the first. */
  readonly sentToSlot: bigint | null
  readonly sentAt: Date | null
  /** PostgreSQL has the trades of slots from this one on; null: all. */
  readonly keptFromSlot: bigint | null
}

interface HistoryRow {
  readonly sentBelow: bigint
  readonly keptFrom: bigint
  readonly sentAt: Date | null
}

/** Undefined where nothing was sent and no leader has tried to. */
const readHistory = Effect.fnUntraced(function* (sql: SqlClient, { hasHistory, history }: IndexerReports) {
  const [row] = yield* sql<HistoryRow>`
    select sent_below, kept_from, sent_at from indexer_progress`
  const { keptFrom, sentAt, sentBelow } = row!
  if (sentBelow === 0n && !hasHistory) return undefined
  return {
    sentAt,
    sentToSlot: sentBelow === 0n ? null : slotOf(sentBelow) - 1n,
    keptFromSlot: keptFrom === 0n ? null : slotOf(keptFrom),
    ...history,
  } satisfies HistoryProgress
})

/** How far the index is, as its tables and the leader say it, at a cost that does not depend on the amount of data. */
export const readIndex = Effect.fnUntraced(function* (sql: SqlClient) {
  const reports = yield* readReports(sql)
  const reads = [selectProgress(sql), readWatermarks(sql, reports), readHistory(sql, reports)] as const
  const [[progress], marks, history] = yield* Effect.all(reads, { concurrency: 3 })
  return { progress: progress!, reports, marks, history }
})
