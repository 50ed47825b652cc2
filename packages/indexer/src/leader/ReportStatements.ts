import { isFields } from "@launch-registry/chain/rpc/results/Scalars"
import { SLOT_MILLIS_UNMEASURED } from "@launch-registry/chain/rpc/SlotPace"
import { SLOT_MAX } from "@launch-registry/domain/solana/Ordinal"
import {
  INDEX_SOURCES,
  type IndexSource,
  type LeaderReport,
  type ReportName,
} from "@launch-registry/domain/system/LeaderReport"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

const SLOT = /^\d{1,10}$/
const HASH_LENGTH_MAX = 44
const PROBLEM_LENGTH_MAX = 2_000

const slotOf = (value: unknown): string | null =>
  typeof value === "string" && SLOT.test(value) && BigInt(value) <= SLOT_MAX ? value : null

const textOf = (value: unknown, lengthMax: number): string | null =>
  typeof value === "string" ? value.slice(0, lengthMax) : null

const countOf = (value: unknown): number => (Number.isSafeInteger(value) ? Math.max(value as number, 0) : 0)

const slotMillisOf = (value: unknown): number =>
  typeof value === "number" && value > 0 ? value : SLOT_MILLIS_UNMEASURED

/** A report as it is read back. */
type KeptReport = Omit<LeaderReport, "source"> & { readonly source: IndexSource | undefined }

/** Another version may have written it, on the word of a faulty node: an invalid slot counts as unknown. */
const soundReport = (stored: unknown): KeptReport | undefined => {
  if (!isFields(stored)) return undefined
  return {
    cluster: textOf(stored.cluster, HASH_LENGTH_MAX),
    otherCluster: textOf(stored.otherCluster, HASH_LENGTH_MAX),
    originSlot: slotOf(stored.originSlot),
    finalizedSlot: slotOf(stored.finalizedSlot),
    finalizedSinceMillis: countOf(stored.finalizedSinceMillis) || undefined,
    source: INDEX_SOURCES.find((source) => source === stored.source),
    reconcileSeconds: countOf(stored.reconcileSeconds),
    slotMillis: slotMillisOf(stored.slotMillis),
    missing: countOf(stored.missing),
    dropped: countOf(stored.dropped),
    problem: textOf(stored.problem, PROBLEM_LENGTH_MAX),
  }
}

/** SQL of `indexer_reports`. */
export const reportStatements = (sql: SqlClient) => {
  const leader = Effect.map(
    sql<{ readonly report: unknown }>`select report from indexer_reports where name = 'leader'`,
    ([row]) => soundReport(row?.report),
  )
  return {
    write: (name: ReportName, report: object, now: Date) => sql`
    insert into indexer_reports (name, report, reported_at) values (${name}, ${JSON.stringify(report)}::text::jsonb, ${now})
    on conflict (name) do update set report = excluded.report, reported_at = excluded.reported_at`,

    forget: (name: ReportName) => sql`delete from indexer_reports where name = ${name}`,

    leader,

    /** How long a slot takes, as the leader has measured. */
    slotMillis: Effect.map(leader, (report) => report?.slotMillis ?? SLOT_MILLIS_UNMEASURED),
  }
}
