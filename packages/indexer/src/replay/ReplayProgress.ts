import type { ReplayReport, ReplayState } from "@launch-registry/domain/system/LeaderReport"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { reportStatements } from "../leader/ReportStatements.ts"

/** How far a replay is. */
export interface ReplayProgress {
  readonly state: ReplayState
  /** Folded again, in all of its runs. */
  readonly transactions: number
  /** Up to which the log was folded again. */
  readonly logOffset: bigint
  /** Up to which it has to be: what the live tables have. */
  readonly headOffset: bigint
  /** While facts are copied: up to which slot. */
  readonly copiedSlot?: bigint
}

/** How often it is reported, at most. */
const EVERY_MILLIS = 1_000

/** Reports how far a replay is, with its rate and its end at the rate of this run. */
export const reportReplay = Effect.fn("reportReplay")(function* (sql: SqlClient) {
  const reports = reportStatements(sql)
  const startedMillis = yield* Clock.currentTimeMillis
  let first: (ReplayProgress & { readonly millis: number }) | undefined
  let reported: { readonly state: ReplayState; readonly millis: number } | undefined

  return (progress: ReplayProgress) =>
    Effect.gen(function* () {
      const millis = yield* Clock.currentTimeMillis
      if (progress.state === "deriving") first ??= { ...progress, millis }
      if (reported?.state === progress.state && millis - reported.millis < EVERY_MILLIS) return
      reported = { state: progress.state, millis }
      const report: ReplayReport = {
        state: progress.state,
        transactions: progress.transactions,
        logOffset: String(progress.logOffset),
        headOffset: String(progress.headOffset),
        copiedSlot: progress.copiedSlot === undefined ? null : String(progress.copiedSlot),
        startedAt: new Date(startedMillis).toISOString(),
        ...(first === undefined ? NO_PACE : paceOf(first, progress, millis - first.millis, millis)),
      }
      yield* reports.write("replay", report, new Date(millis))
    }).pipe(Effect.ignore)
})

const NO_PACE = { transactionsPerSecond: null, endsAt: null }

/** The rate of transactions since `first`, and when the rest is done at the rate of offsets. */
const paceOf = (
  first: ReplayProgress,
  { headOffset, logOffset, state, transactions }: ReplayProgress,
  elapsedMillis: number,
  nowMillis: number,
): Pick<ReplayReport, "transactionsPerSecond" | "endsAt"> => {
  if (elapsedMillis <= 0 || logOffset <= first.logOffset) return NO_PACE
  const leftMillis = (elapsedMillis * Number(headOffset - logOffset)) / Number(logOffset - first.logOffset)
  return {
    transactionsPerSecond: Math.round(((transactions - first.transactions) * 1_000) / elapsedMillis),
    endsAt: state === "deriving" ? new Date(nowMillis + leftMillis).toISOString() : null,
  }
}
