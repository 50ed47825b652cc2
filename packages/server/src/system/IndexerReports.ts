import { SLOT_MILLIS_UNMEASURED } from "@launch-registry/chain/rpc/SlotPace"
import { SLOT_MAX } from "@launch-registry/domain/solana/Ordinal"
import type { IndexerReport } from "@launch-registry/domain/system/IndexerReport"
import type { FailingReport, LeaderReport, PoolsReport, ReportName } from "@launch-registry/domain/system/LeaderReport"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** What the leader says of the chain and of its comparison with it; null where it says nothing that can be read. */
export interface LeaderSays {
  /** First slot to prove. */
  readonly originSlot: bigint | null
  readonly finalizedSlot: bigint | null
  /** For how long that has been the latest finalized one. */
  readonly finalizedSeconds: number | null
  readonly source: string | null
  readonly problem: string | null
  /** Genesis hash of the RPC endpoints' chain if it differs from that of the index. */
  readonly otherCluster: string | null
  /** Interval of reconciliation rounds. */
  readonly reconcileSeconds: number | null
  readonly slotMillis: number
  readonly reportedAt: Date | null
  readonly reportSeconds: number | null
}

/** What the leader says of migrated pools. */
export interface PoolsSays {
  readonly followed: number
  readonly due: number
  readonly failing: number
  /** How long the proof that has waited longest is due; 0 without one. */
  readonly dueSeconds: number
  /** Why slots of one are not proven; null where all are. */
  readonly problem: string | null
  readonly provenSlot: bigint | null
}

/** Since when the leader's work with a service outside fails, and why. */
export interface Failing {
  readonly problem: string | null
  readonly failingSince: Date | null
  /** How long every attempt has failed; 0 if the last one did not. */
  readonly failingSeconds: number
}

type Said = Readonly<Record<string, unknown>>

interface ReportRow {
  readonly name: ReportName
  readonly report: Said
  readonly reportedAt: Date | null
  readonly now: Date
}

const PROBLEM_LENGTH_MAX = 500
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/
const [SLOT, COUNT, NUMBER, MILLIS] = [/^\d{1,10}$/, /^\d{1,9}$/, /^\d{1,9}(\.\d+)?$/, /^\d{1,14}$/]

type Fact = keyof LeaderReport | keyof PoolsReport | keyof FailingReport

// Another version may have written a report, and a faulty node may have told what it says.
const textOf = (said: Said | undefined, fact: Fact): string | null => {
  const value = said?.[fact]
  return typeof value === "string" || typeof value === "number" ? String(value) : null
}

const matching = (said: Said | undefined, fact: Fact, pattern: RegExp): string | null => {
  const text = textOf(said, fact)
  return text !== null && pattern.test(text) ? text : null
}

const numberOf = (said: Said | undefined, fact: Fact, pattern: RegExp): number | null => {
  const text = matching(said, fact, pattern)
  return text === null ? null : Number(text)
}

const slotOf = (said: Said | undefined, fact: Fact): bigint | null => {
  const text = matching(said, fact, SLOT)
  return text === null || BigInt(text) > SLOT_MAX ? null : BigInt(text)
}

const secondsSince = (millis: number, now: Date): number => (now.getTime() - millis) / 1000

const leaderOf = (row: ReportRow | undefined): LeaderSays => {
  const { now = new Date(0), report, reportedAt = null } = row ?? {}
  const finalizedSince = numberOf(report, "finalizedSinceMillis", MILLIS)
  return {
    originSlot: slotOf(report, "originSlot"),
    finalizedSlot: slotOf(report, "finalizedSlot"),
    finalizedSeconds: finalizedSince === null ? null : secondsSince(finalizedSince, now),
    source: textOf(report, "source"),
    problem: textOf(report, "problem"),
    otherCluster: textOf(report, "otherCluster"),
    reconcileSeconds: numberOf(report, "reconcileSeconds", NUMBER),
    slotMillis: numberOf(report, "slotMillis", NUMBER) ?? SLOT_MILLIS_UNMEASURED,
    reportedAt,
    reportSeconds: reportedAt && secondsSince(reportedAt.getTime(), now),
  }
}

const poolsOf = ({ now, report }: ReportRow): PoolsSays => {
  const seconds = secondsSince(Date.parse(textOf(report, "dueSince") ?? ""), now)
  return {
    followed: numberOf(report, "followed", COUNT) ?? 0,
    due: numberOf(report, "due", COUNT) ?? 0,
    failing: numberOf(report, "failing", COUNT) ?? 0,
    dueSeconds: seconds > 0 ? seconds : 0,
    problem: textOf(report, "problem"),
    provenSlot: slotOf(report, "provenSlot"),
  }
}

const failingOf = (row: ReportRow | undefined): Failing => {
  const since = matching(row?.report, "failingSince", ISO)
  const failingSince = since === null || Number.isNaN(Date.parse(since)) ? null : new Date(since)
  return {
    problem: textOf(row?.report, "problem")?.slice(0, PROBLEM_LENGTH_MAX) ?? null,
    failingSince,
    failingSeconds: failingSince === null ? 0 : Math.max(secondsSince(failingSince.getTime(), row!.now), 0),
  }
}

/** The leader's reports, as far as they can be read. */
export const readReports = (sql: SqlClient) =>
  Effect.map(
    sql<ReportRow>`
      select name, report, case when isfinite(reported_at) then reported_at end as reported_at, now() as now
      from indexer_reports where jsonb_typeof(report) = 'object'`,
    (rows) => {
      const of = (name: ReportName) => rows.find((row) => row.name === name)
      const pools = of("pools")
      return {
        leader: leaderOf(of("leader")),
        pools: pools && poolsOf(pools),
        history: failingOf(of("history")),
        hasHistory: of("history") !== undefined,
        /** As the leader wrote them. */
        raw: {
          webhook: (of("webhook")?.report ?? null) as IndexerReport["webhook"],
          replay: (of("replay")?.report ?? null) as IndexerReport["replay"],
          pools: pools?.report as IndexerReport["pools"],
        },
      }
    },
  )

export type IndexerReports = Effect.Success<ReturnType<typeof readReports>>
