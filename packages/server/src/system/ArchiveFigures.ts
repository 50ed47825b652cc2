import type { ReportName } from "@launch-registry/domain/system/LeaderReport"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { type Failing, FAILING_COLUMNS, failingOf, type FailingRow } from "./FailingReport.ts"

/** What the archive of the log holds, and how the leader gets on with it. */
export interface ArchiveFigures extends Failing {
  readonly objects: number
  readonly segments: bigint
  /** Of the objects. */
  readonly bytes: bigint
  /** Objects whose segments are not in PostgreSQL any more. */
  readonly moved: number
  /** The highest that an object has; null without one. */
  readonly lastOffset: bigint | null
}

const NAME: ReportName = "archive"

/** No row where nothing is archived and no leader has tried to. */
export const selectArchive = (sql: SqlClient) =>
  Effect.map(
    sql<Omit<ArchiveFigures, keyof Failing> & FailingRow & { readonly isReported: boolean }>`
      select a.objects, a.segments, a.bytes, a.moved, a.last_offset, r.name is not null as is_reported, ${sql.literal(FAILING_COLUMNS)}
      from (
        select count(*)::integer as objects, coalesce(sum(segments), 0)::bigint as segments,
          coalesce(sum(bytes), 0)::bigint as bytes, count(moved_at)::integer as moved, max(last_offset) as last_offset
        from inbox_archives
      ) a left join indexer_reports r on r.name = ${NAME} and jsonb_typeof(r.report) = 'object'`,
    ([row]): ArchiveFigures | undefined => {
      const { bytes, isReported, lastOffset, moved, objects, segments } = row!
      if (objects === 0 && !isReported) return undefined
      return { ...{ bytes, lastOffset, moved, objects, segments }, ...failingOf(row!) }
    },
  )
