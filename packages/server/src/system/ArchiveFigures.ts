import type { ArchiveReport, ReportName } from "@launch-registry/domain/system/LeaderReport"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** What the archive of the log holds, and how the leader gets on with it. */
export interface ArchiveFigures {
  readonly objects: number
  readonly segments: bigint
  /** Of the objects. */
  readonly bytes: bigint
  /** Objects whose segments are not in PostgreSQL any more. */
  readonly moved: number
  /** The highest that an object has; null without one. */
  readonly lastOffset: bigint | null
  readonly problem: string | null
  readonly failingSince: Date | null
  /** How long every attempt has failed; 0 if the last one did not. */
  readonly failingSeconds: number
}

interface ArchiveRow extends Omit<ArchiveFigures, "failingSince" | "failingSeconds"> {
  readonly isReported: boolean
  readonly failingSince: string | null
  readonly now: Date
}

/** Another version may have written the report. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/
const PROBLEM_LENGTH_MAX = 500

const NAME: ReportName = "archive"
const said = (fact: keyof ArchiveReport) => `r.report ->> '${fact}'`

/** No row where nothing is archived and no leader has tried to. */
export const selectArchive = (sql: SqlClient) =>
  Effect.map(
    sql<ArchiveRow>`
      select a.*, r.name is not null as is_reported, ${sql.literal(said("problem"))} as problem,
        ${sql.literal(said("failingSince"))} as failing_since, now() as now
      from (
        select count(*)::integer as objects, coalesce(sum(segments), 0)::bigint as segments,
          coalesce(sum(bytes), 0)::bigint as bytes, count(moved_at)::integer as moved, max(last_offset) as last_offset
        from inbox_archives
      ) a left join indexer_reports r on r.name = ${NAME} and jsonb_typeof(r.report) = 'object'`,
    ([row]): ArchiveFigures | undefined => {
      const { failingSince, isReported, now, ...figures } = row!
      if (figures.objects === 0 && !isReported) return undefined
      const since = new Date(ISO.test(failingSince ?? "") ? failingSince! : Number.NaN)
      const isFailing = !Number.isNaN(since.getTime())
      return {
        ...figures,
        problem: figures.problem?.slice(0, PROBLEM_LENGTH_MAX) ?? null,
        failingSince: isFailing ? since : null,
        failingSeconds: isFailing ? Math.max((now.getTime() - since.getTime()) / 1000, 0) : 0,
      }
    },
  )
