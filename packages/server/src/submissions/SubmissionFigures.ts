import { SubmissionState } from "@launch-registry/domain/submissions/Submission"
import { metricSeries } from "@launch-registry/postgres/MetricSeries"
import { Context, Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"

/** How sending to one endpoint ends: taken, refused by the node for what is in the transaction, or without an answer to that. */
export const SEND_OUTCOMES = ["accepted", "refused", "failed"] as const
export type SendOutcome = (typeof SEND_OUTCOMES)[number]

const COUNT_MAX = 10_000

/** What this process has sent for submissions. */
export class SubmissionFigures extends Context.Service<
  SubmissionFigures,
  { readonly count: (outcome: SendOutcome) => void; readonly of: (outcome: SendOutcome) => number }
>()("@launch-registry/server/submissions/SubmissionFigures") {
  static readonly layer = Layer.sync(SubmissionFigures, () => {
    const counts = new Map<SendOutcome, number>()
    const of = (outcome: SendOutcome) => counts.get(outcome) ?? 0
    return SubmissionFigures.of({ of, count: (outcome) => void counts.set(outcome, of(outcome) + 1) })
  })
}

/** States that are not final, and how long the oldest submission has waited. */
export const readSubmissionFigures = Effect.fnUntraced(function* (sql: SqlClient) {
  const rows = yield* sql<{ readonly state: string; readonly count: bigint; readonly oldestSeconds: number }>`
    select state, count(*) as count,
      extract(epoch from greatest(now() - min(created_at), '0'))::float8 as oldest_seconds
    from (select state, created_at from launch_submissions where settled_at is null order by next_check_at
      limit ${COUNT_MAX}) pending
    group by state`
  return {
    states: SubmissionState.literals
      .filter((state) => state !== "finalized" && state !== "expired")
      .map((state) => [state, rows.find((row) => row.state === state)?.count ?? 0n] as const),
    oldestSeconds: Math.max(0, ...rows.map(({ oldestSeconds }) => oldestSeconds)),
  }
})

/** What this process has sent. */
export const submissionMetrics = Layer.effectDiscard(
  Effect.gen(function* () {
    const figures = yield* SubmissionFigures
    const { counter } = yield* metricSeries
    for (const outcome of SEND_OUTCOMES)
      counter(
        "submission_sends_total",
        "Signed transactions that this process sent, once for each endpoint and repetition, by outcome (accepted: the endpoint took it; refused: its node refused the transaction; failed: no answer)",
        { outcome },
        () => figures.of(outcome),
      )
  }),
)
