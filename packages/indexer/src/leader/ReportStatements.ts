import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** What the leader says of itself, for whoever asks another replica. */
export interface LeaderReport {
  /** Genesis hash of the chain that the index is of; null before it is known. */
  readonly cluster: string | null
  /** Genesis hash of the chain that the RPC endpoints are of, when it is another one: nothing is indexed then. */
  readonly otherCluster: string | null
  /** From here on, everything is to be proven; null before that is known. */
  readonly originSlot: string | null
  readonly finalizedSlot: string | null
  readonly source: string
  /** How often a round is due. */
  readonly reconcileSeconds: number
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
})
