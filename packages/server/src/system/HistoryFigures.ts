import type { ReportName } from "@launch-registry/domain/system/LeaderReport"
import { slotOf } from "@launch-registry/domain/solana/Ordinal"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Failing, FAILING_COLUMNS, failingOf, type FailingRow } from "./FailingReport.ts"

/** How far trades have been sent to ClickHouse, and how the leader gets on with it. */
export interface HistoryFigures extends Failing {
  /** Trades of slots up to this one are there; null before the first. */
  readonly sentToSlot: bigint | null
  readonly sentAt: Date | null
  /** PostgreSQL has the trades of slots from this one on; null: all. */
  readonly keptFromSlot: bigint | null
}

interface HistoryRow extends FailingRow {
  readonly isReported: boolean
  readonly sentBelow: bigint
  readonly keptFrom: bigint
  readonly sentAt: Date | null
}

const NAME: ReportName = "history"

/** No row where nothing was sent and no leader has tried to. */
export const selectHistory = (sql: SqlClient) =>
  Effect.map(
    sql<HistoryRow>`
      select h.sent_below, k.kept_from, h.sent_at, r.name is not null as is_reported, ${sql.literal(FAILING_COLUMNS)}
      from history_progress h cross join kept_trades k left join indexer_reports r on r.name = ${NAME} and jsonb_typeof(r.report) = 'object'`,
    ([row]): HistoryFigures | undefined => {
      const { isReported, keptFrom, sentAt, sentBelow } = row!
      if (sentBelow === 0n && !isReported) return undefined
      return {
        sentAt,
        sentToSlot: sentBelow === 0n ? null : slotOf(sentBelow) - 1n,
        keptFromSlot: keptFrom === 0n ? null : slotOf(keptFrom),
        ...failingOf(row!),
      }
    },
  )
