import type { FailingReport } from "@launch-registry/domain/system/LeaderReport"

/** Since when the leader's work with a service outside fails, and why. */
export interface Failing {
  readonly problem: string | null
  readonly failingSince: Date | null
  /** How long every attempt has failed; 0 if the last one did not. */
  readonly failingSeconds: number
}

/** What SQL reads of such a report `r`. */
export interface FailingRow {
  readonly problem: string | null
  readonly failingSince: string | null
  readonly now: Date
}

const said = (fact: keyof FailingReport) => `r.report ->> '${fact}'`

/** Columns of {@link FailingRow}, of `indexer_reports r`. */
export const FAILING_COLUMNS = `${said("problem")} as problem, ${said("failingSince")} as failing_since, now() as now`

/** Another version may have written the report. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,3})?Z$/
const PROBLEM_LENGTH_MAX = 500

export const failingOf = ({ failingSince, now, problem }: FailingRow): Failing => {
  const since = new Date(ISO.test(failingSince ?? "") ? failingSince! : Number.NaN)
  const isFailing = !Number.isNaN(since.getTime())
  return {
    problem: problem?.slice(0, PROBLEM_LENGTH_MAX) ?? null,
    failingSince: isFailing ? since : null,
    failingSeconds: isFailing ? Math.max((now.getTime() - since.getTime()) / 1000, 0) : 0,
  }
}
