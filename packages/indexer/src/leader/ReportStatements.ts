import { SLOT_MILLIS_UNMEASURED } from "@launch-registry/chain/rpc/SlotPace"
import { SLOT_MAX } from "@launch-registry/domain/solana/Ordinal"
import type { LeaderReport, ReportName } from "@launch-registry/domain/system/LeaderReport"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

const SLOT = /^\d{1,10}$/

/** Another version may have written it, on the word of a faulty node: an invalid slot counts as unknown. */
const slotOf = (value: unknown): string | null =>
  typeof value === "string" && SLOT.test(value) && BigInt(value) <= SLOT_MAX ? value : null

/** SQL of `indexer_reports`. */
export const reportStatements = (sql: SqlClient) => {
  const leader = Effect.map(
    sql<{ readonly report: LeaderReport }>`
      select report from indexer_reports where name = 'leader' and jsonb_typeof(report) = 'object'`,
    ([row]): LeaderReport | undefined =>
      row && {
        ...row.report,
        originSlot: slotOf(row.report.originSlot),
        finalizedSlot: slotOf(row.report.finalizedSlot),
      },
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
