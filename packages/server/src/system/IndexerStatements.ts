import type { IndexerReport } from "@launch-registry/domain/system/IndexerReport"
import {
  INDEXER_LEASE,
  type LeaderReport,
  type PoolsReport,
  type ReportName,
} from "@launch-registry/domain/system/LeaderReport"
import { SLOT_MILLIS_UNMEASURED } from "@launch-registry/chain/rpc/SlotPace"
import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { SLOT_MAX } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** Segments are counted up to this number, to bound the cost. */
const PENDING_MAX = 100_000
/** Maximum number of ranges in a report. */
const RANGES_MAX = 1_000
/** An unindexed segment older than this means that the indexer falls behind. */
const BEHIND_SECONDS = 10

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
  readonly isBehind: boolean
  /** The last slot that was deleted from the log; -1 for none. */
  readonly prunedToSlot: bigint
}

/** The leader and the progress of the index: one row, at a cost that does not depend on the amount of data. */
export const selectProgress = (sql: SqlClient) => sql<ProgressRow>`
  select l.name is not null as has_run, l.holder, case when isfinite(l.expires_at) then l.expires_at end as expires_at,
    coalesce(l.expires_at > now(), false) as is_led,
    c.id as module_hash, c.slot, c.log_offset,
    h.next_offset, h.pruned_to_slot,
    (select count(*) from (
      select 1 from inbox_segments s where s.log_offset > coalesce(c.log_offset, 0) limit ${PENDING_MAX}
    ) pending) as pending_segments,
    coalesce((
      select s.received_at < now() - make_interval(secs => ${BEHIND_SECONDS}::integer) from inbox_segments s
      where s.log_offset > coalesce(c.log_offset, 0) order by s.log_offset limit 1
    ), false) as is_behind
  from inbox_head h
  left join leases l on l.name = ${INDEXER_LEASE}
  left join (select * from cursors order by log_offset desc, slot desc limit 1) c on true`

/** Rows are counted up to this number, to bound the cost. */
const COUNTED_MAX = 100_000

/** Up to which slot everything is proven. */
interface Watermarks {
  /** For every table: the lower one of the others. */
  readonly watermarkSlot: bigint | null
  readonly programWatermarkSlot: bigint | null
  /** Null without pools, and where the leader has not said. */
  readonly poolsWatermarkSlot: bigint | null
  readonly hasPools: boolean
  /** What is finalized and not proven for the program, in seconds by the pace of the chain; null while unknown, or with `INDEXER_SOURCE=off`. */
  readonly unprovenSeconds: number | null
}

export interface ProofRow extends Watermarks {
  readonly finalizedSlot: bigint | null
  readonly coverage: IndexerReport["coverage"]
  readonly gaps: IndexerReport["gaps"]
  readonly poison: bigint
  readonly deadLetters: bigint
  readonly dropped: bigint
  readonly webhook: IndexerReport["webhook"]
  readonly replay: IndexerReport["replay"]
  readonly pools: NonNullable<IndexerReport["pools"]> | null
  readonly reportedAt: Date | null
}

const ofReport = (name: ReportName) => `name = '${name}'`

const said = (fact: keyof LeaderReport | keyof PoolsReport) => `report ->> '${fact}'`

/** A slot reported by the leader, or null: it may stem from a faulty RPC node. */
const saidSlot = (fact: "originSlot" | "finalizedSlot" | "provenSlot") => `
      case when ${said(fact)} ~ '^[0-9]{1,10}$' then
        case when (${said(fact)})::bigint <= ${SLOT_MAX} then (${said(fact)})::bigint end
      end`

const saidNumber = (fact: "reconcileSeconds" | "slotMillis") => `
      case when ${said(fact)} ~ '^[0-9]{1,9}([.][0-9]+)?$' then (${said(fact)})::float8 end`

/** The leader's report, the proven ranges of slots, and the gaps between the origin and the finalized slot. */
const PROOF = `
  with leader as (
    select case when isfinite(reported_at) then reported_at end as reported_at,
      ${saidSlot("originSlot")} as origin_slot, ${saidSlot("finalizedSlot")} as finalized_slot,
      case when ${said("finalizedSinceMillis")} ~ '^[0-9]{1,14}$'
        then to_timestamp((${said("finalizedSinceMillis")})::float8 / 1000) end as finalized_since,
      ${said("source")} as source, ${said("problem")} as problem, ${said("otherCluster")} as other_cluster,
      ${saidNumber("reconcileSeconds")} as reconcile_seconds,
      coalesce(${saidNumber("slotMillis")}, ${SLOT_MILLIS_UNMEASURED}) as slot_millis
    from indexer_reports where ${ofReport("leader")}
  ), proven as (
    select from_slot, to_slot, proven_by, proven_at, lead(from_slot) over (order by from_slot) as next_slot
    from coverage c
    where ${isFolded("c")} and from_slot >= 0 and to_slot <= ${SLOT_MAX}
  ), gaps as (
    select * from (
      select greatest(p.to_slot + 1, l.origin_slot) as from_slot, coalesce(p.next_slot - 1, l.finalized_slot) as to_slot
      from proven p left join leader l on true
      union all
      select origin_slot, coalesce((select min(from_slot) - 1 from proven), finalized_slot) from leader
    ) between_proven where from_slot <= to_slot
  )`

/** The columns of {@link Watermarks}, of the rows `w`. */
const WATERMARKS = `w.program_watermark_slot, w.pools_watermark_slot, w.has_pools,
    case when not w.has_pools then w.program_watermark_slot
      when w.program_watermark_slot is not null and w.pools_watermark_slot >= w.origin_slot
        then least(w.program_watermark_slot, w.pools_watermark_slot)
    end as watermark_slot,
    case when w.source <> 'off' then greatest(
      (w.finalized_slot - coalesce(w.program_watermark_slot, w.origin_slot - 1)) * w.slot_millis / 1000, 0::float8)
    end as unproven_seconds`

/**
 * The leader's report, with the slot before the first gap of the program after the origin, and the same for the migrated pools: the leader
 * looks at each of them, and says how far all are proven. Without a pool that is followed, or will be, the program is all there is.
 */
const MARKED = `(
    select l.*, case
        when l.origin_slot is null then null
        when exists (select 1 from gaps) then (select nullif(min(from_slot), l.origin_slot) - 1 from gaps)
        else (select max(to_slot) from proven where to_slot >= l.origin_slot)
      end as program_watermark_slot,
      case when p.has_pools then (select ${saidSlot("provenSlot")} from indexer_reports where ${ofReport("pools")}) end
        as pools_watermark_slot,
      p.has_pools
    from (
      select exists (select from followed_pools where venue is not null) or exists (
        select from dbc_pools d where d.migrated_pool is not null
          and not exists (select from followed_pools f where f.pool = d.migrated_pool)) as has_pools
    ) p left join leader l on true
  ) w`

/**
 * Proven ranges, gaps, and counts of dead letters.
 *
 * A proof counts once everything that was in the log at its time is indexed. Whatever no such range covers between the
 * origin and the finalized slot is a gap of the program.
 */
export const selectProof = (sql: SqlClient) => sql<ProofRow>`
  ${sql.literal(PROOF)}
  select w.finalized_slot, w.reported_at, ${sql.literal(WATERMARKS)},
    (select coalesce(json_agg(json_build_object(
      'fromSlot', from_slot::text, 'toSlot', to_slot::text, 'provenBy', proven_by,
      'provenAt', to_char(proven_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) order by from_slot), '[]') from (select * from proven order by from_slot desc limit ${RANGES_MAX}) latest) as coverage,
    (select coalesce(json_agg(json_build_object('fromSlot', from_slot::text, 'toSlot', to_slot::text) order by from_slot), '[]')
      from (select * from gaps order by from_slot desc limit ${RANGES_MAX}) latest) as gaps,
    (select count(*) from (select 1 from inbox_poison limit ${COUNTED_MAX}) few) as poison,
    (select count(*) from (select 1 from dead_letters limit ${COUNTED_MAX}) few) as dead_letters,
    (select count(*) from (select 1 from inbox_dropped limit ${COUNTED_MAX}) few) as dropped,
    (select report from indexer_reports where ${sql.literal(ofReport("webhook"))} and jsonb_typeof(report) = 'object') as webhook,
    (select report from indexer_reports where ${sql.literal(ofReport("replay"))} and jsonb_typeof(report) = 'object') as replay,
    (select report from indexer_reports where ${sql.literal(ofReport("pools"))} and jsonb_typeof(report) = 'object') as pools
  from ${sql.literal(MARKED)}`

export interface WatermarkRow extends Watermarks {
  readonly finalizedSlot: bigint | null
  /** For how long that has been the latest finalized one; null in older reports. */
  readonly finalizedSeconds: number | null
  /** First slot to prove; null while unknown. */
  readonly originSlot: bigint | null
  /** Null without a report of a leader. */
  readonly source: string | null
  readonly problem: string | null
  /** Genesis hash of the RPC endpoints' chain if it differs from that of the index. */
  readonly otherCluster: string | null
  readonly reportSeconds: number | null
  /** Interval of reconciliation rounds; null in older reports. */
  readonly reconcileSeconds: number | null
}

/** How far everything is proven: one row, whatever the number of ranges and pools. */
export const selectWatermark = (sql: SqlClient) => sql<WatermarkRow>`
  ${sql.literal(PROOF)}
  select w.finalized_slot, w.origin_slot, ${sql.literal(WATERMARKS)},
    w.source, w.problem, w.other_cluster, w.reconcile_seconds,
    extract(epoch from now() - w.reported_at)::float8 as report_seconds,
    extract(epoch from now() - w.finalized_since)::float8 as finalized_seconds
  from ${sql.literal(MARKED)}`

export interface PoolsRow {
  readonly followed: number
  readonly due: number
  readonly failing: number
  /** How long the proof that has waited longest is due; 0 without one. */
  readonly dueSeconds: number
  /** Why slots of one are not proven; null where all are. */
  readonly problem: string | null
}

const saidCount = (fact: "followed" | "due" | "failing") =>
  `case when ${said(fact)} ~ '^[0-9]{1,9}$' then (${said(fact)})::integer else 0 end as ${fact}`

/** The leader's report about migrated pools: no row before the first. */
export const selectPools = (sql: SqlClient) =>
  Effect.map(
    sql<Omit<PoolsRow, "dueSeconds"> & { readonly dueSince: string | null; readonly now: Date }>`
      select ${sql.literal(saidCount("followed"))}, ${sql.literal(saidCount("due"))}, ${sql.literal(saidCount("failing"))},
        ${sql.literal(said("dueSince"))} as due_since, ${sql.literal(said("problem"))} as problem, now() as now
      from indexer_reports where ${sql.literal(ofReport("pools"))}`,
    (rows) =>
      rows.map(({ dueSince, now, ...counts }): PoolsRow => {
        const seconds = (now.getTime() - Date.parse(dueSince ?? "")) / 1000
        return { ...counts, dueSeconds: seconds > 0 ? seconds : 0 }
      }),
  )
