import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** What the leader says of itself, for whoever asks another replica. */
export interface LeaderReport {
  /** Genesis hash of the chain that is followed. */
  readonly cluster: string
  /** From here on, everything is to be proven. */
  readonly originSlot: string
  readonly finalizedSlot: string
  readonly source: string
  /** Of the last round of the reconciler. */
  readonly missing: number
  readonly dropped: number
  /** Why the last round proved nothing; null when it did. */
  readonly problem: string | null
}

/** SQL of `indexer_reports`. */
export const reportStatements = (sql: SqlClient) => ({
  write: (name: string, report: object, now: Date) => sql`
    insert into indexer_reports (name, report, reported_at) values (${name}, ${JSON.stringify(report)}::text::jsonb, ${now})
    on conflict (name) do update set report = excluded.report, reported_at = excluded.reported_at`,

  leader: Effect.map(
    sql<{ readonly report: LeaderReport }>`select report from indexer_reports where name = 'leader'`,
    ([row]) => row?.report,
  ),

  /** What was proven of another chain says nothing of this one. */
  forgetCoverage: sql`delete from coverage`,
})
