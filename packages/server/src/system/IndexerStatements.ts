import type { IndexerReport } from "@launch-registry/domain/system/IndexerReport"
import { INDEXER_LEASE, type LeaderReport, type ReportName } from "@launch-registry/domain/system/LeaderReport"
import { isFolded } from "@launch-registry/migrations/FoldedCoverage"
import { SLOT_MAX } from "@launch-registry/solana/Ordinal"
import type { SqlClient } from "effect/sql/SqlClient"

/** Segments are counted up to here: a backlog of a day need not be counted to its end. */
const PENDING_MAX = 100_000
/** Latest stretches of slots in a report. */
const STRETCHES_MAX = 1_000
/** A segment that has waited so long means that the fold does not keep up. */
const BEHIND_SECONDS = 10

export interface ProgressRow {
  /** Whether there ever was an indexer. */
  readonly hasRun: boolean
  readonly holder: string | null
  /** Null when the lease was given back. */
  readonly expiresAt: Date | null
  readonly isLed: boolean
  readonly moduleHash: string | null
  readonly slot: bigint | null
  readonly logOffset: bigint | null
  readonly nextOffset: bigint
  readonly pendingSegments: bigint
  readonly isBehind: boolean
}

/** Who leads and how far the fold is: one row, at a cost that does not depend on how much is stored. */
export const selectProgress = (sql: SqlClient) => sql<ProgressRow>`
  select l.name is not null as has_run, l.holder, case when isfinite(l.expires_at) then l.expires_at end as expires_at,
    coalesce(l.expires_at > now(), false) as is_led,
    c.id as module_hash, c.slot, c.log_offset,
    (select next_offset from inbox_head) as next_offset,
    (select count(*) from (
      select 1 from inbox_segments s where s.log_offset > coalesce(c.log_offset, 0) limit ${PENDING_MAX}
    ) pending) as pending_segments,
    coalesce((
      select s.received_at < now() - make_interval(secs => ${BEHIND_SECONDS}::integer) from inbox_segments s
      where s.log_offset > coalesce(c.log_offset, 0) order by s.log_offset limit 1
    ), false) as is_behind
  from (values (1)) one
  left join leases l on l.name = ${INDEXER_LEASE}
  left join (select * from cursors order by log_offset desc, slot desc limit 1) c on true`

/** Counting stops there: whoever has so many knows enough. */
const COUNTED_MAX = 100_000

export interface ProofRow {
  readonly finalizedSlot: bigint | null
  readonly watermarkSlot: bigint | null
  readonly coverage: IndexerReport["coverage"]
  readonly gaps: IndexerReport["gaps"]
  readonly poison: bigint
  readonly deadLetters: bigint
  readonly dropped: bigint
  readonly webhook: IndexerReport["webhook"]
  readonly replay: IndexerReport["replay"]
  readonly reportedAt: Date | null
}

const ofReport = (name: ReportName) => `name = '${name}'`

const said = (fact: keyof LeaderReport) => `report ->> '${fact}'`

/** A slot that the leader reported, or null: what is stored may be the word of a node that was believed. */
const saidSlot = (fact: "originSlot" | "finalizedSlot") => `
      case when ${said(fact)} ~ '^[0-9]{1,10}$' then
        case when (${said(fact)})::bigint <= ${SLOT_MAX} then (${said(fact)})::bigint end
      end`

/** What the leader reported, the ranges of slots that are proven, and the gaps between the origin and the finalized slot. */
const PROOF = `
  with leader as (
    select case when isfinite(reported_at) then reported_at end as reported_at,
      ${saidSlot("originSlot")} as origin_slot, ${saidSlot("finalizedSlot")} as finalized_slot,
      ${said("source")} as source, ${said("problem")} as problem, ${said("otherCluster")} as other_cluster,
      case when ${said("reconcileSeconds")} ~ '^[0-9]{1,9}([.][0-9]{1,9})?$'
        then (${said("reconcileSeconds")})::float8 end as reconcile_seconds
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

/** Of the leader `l`: the slot before the first gap after the origin. */
const WATERMARK = `
    case
      when l.origin_slot is null then null
      when exists (select 1 from gaps) then (select nullif(min(from_slot), l.origin_slot) - 1 from gaps)
      else (select max(to_slot) from proven where to_slot >= l.origin_slot)
    end`

/**
 * What of the chain is proven complete, what is not, and what was set aside.
 *
 * A stretch counts only when all that was in the log when it was proven is folded. Between the origin and the finalized
 * slot, whatever no such stretch holds is a gap; the watermark is where the first gap after the origin begins.
 */
export const selectProof = (sql: SqlClient) => sql<ProofRow>`
  ${sql.literal(PROOF)}
  select l.finalized_slot, l.reported_at,
    ${sql.literal(WATERMARK)} as watermark_slot,
    (select coalesce(json_agg(json_build_object(
      'fromSlot', from_slot::text, 'toSlot', to_slot::text, 'provenBy', proven_by,
      'provenAt', to_char(proven_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
    ) order by from_slot), '[]') from (select * from proven order by from_slot desc limit ${STRETCHES_MAX}) latest) as coverage,
    (select coalesce(json_agg(json_build_object('fromSlot', from_slot::text, 'toSlot', to_slot::text) order by from_slot), '[]')
      from (select * from gaps order by from_slot desc limit ${STRETCHES_MAX}) latest) as gaps,
    (select count(*) from (select 1 from inbox_poison limit ${COUNTED_MAX}) few) as poison,
    (select count(*) from (select 1 from dead_letters limit ${COUNTED_MAX}) few) as dead_letters,
    (select count(*) from (select 1 from inbox_dropped limit ${COUNTED_MAX}) few) as dropped,
    (select report from indexer_reports where ${sql.literal(ofReport("webhook"))} and jsonb_typeof(report) = 'object') as webhook,
    (select report from indexer_reports where ${sql.literal(ofReport("replay"))} and jsonb_typeof(report) = 'object') as replay
  from (values (1)) one left join leader l on true`

export interface WatermarkRow {
  readonly finalizedSlot: bigint | null
  readonly watermarkSlot: bigint | null
  /** Where proving begins; null before that is known. */
  readonly originSlot: bigint | null
  /** Null when no leader has said anything. */
  readonly source: string | null
  readonly problem: string | null
  /** Genesis hash of the chain of the endpoints, when it is not the one of the index. */
  readonly otherCluster: string | null
  readonly reportSeconds: number | null
  /** How often a round is due; null in reports from before that was said. */
  readonly reconcileSeconds: number | null
}

/** How far the proof follows the chain: one row, over as many stretches as there are. */
export const selectWatermark = (sql: SqlClient) => sql<WatermarkRow>`
  ${sql.literal(PROOF)}
  select l.finalized_slot, l.origin_slot, ${sql.literal(WATERMARK)} as watermark_slot,
    l.source, l.problem, l.other_cluster, l.reconcile_seconds,
    extract(epoch from now() - l.reported_at)::float8 as report_seconds
  from (values (1)) one left join leader l on true`
