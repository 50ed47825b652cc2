import type { IndexSource, LeaderReport, PoolsReport } from "@launch-registry/domain/system/LeaderReport"
import { Clock, Effect } from "effect"
import type { SqlClient } from "effect/sql/SqlClient"
import { AnotherChain } from "./identity/ChainIdentity.ts"
import { type Fence, leaseStatements } from "./leader/Lease.ts"
import { reportStatements } from "./leader/ReportStatements.ts"
import { provenRange } from "./pools/ProvenRange.ts"

/** Of a round that found nothing. */
export const NOTHING_FOUND = { missing: 0, dropped: 0, problem: null }
const NOTHING_KNOWN = { cluster: null, originSlot: null, finalizedSlot: null, ...NOTHING_FOUND }

/** What a leader reports, under the fence: one that was replaced while it stalled reports nothing. */
export const leaderReports = (
  sql: SqlClient,
  always: { readonly source: IndexSource; readonly reconcileSeconds: number },
  slotMillis: Effect.Effect<number>,
) => {
  const lease = leaseStatements(sql)
  const reports = reportStatements(sql)
  /** Why a rebuild fails: reported while nothing else is wrong. */
  let rebuildProblem: string | undefined

  /** These facts, and what is known of the others. */
  const report = (fence: Fence, facts: Partial<LeaderReport>) =>
    Effect.gen(function* () {
      yield* lease.hold(fence)
      const known = yield* reports.leader
      const now = new Date(yield* Clock.currentTimeMillis)
      const all: LeaderReport = {
        ...{ ...NOTHING_KNOWN, ...known, ...always, slotMillis: yield* slotMillis },
        ...{ otherCluster: null, ...facts },
      }
      const isStill = known?.finalizedSlot === all.finalizedSlot
      const finalizedSinceMillis = (isStill ? known?.finalizedSinceMillis : undefined) ?? now.getTime()
      yield* reports.write(
        "leader",
        { ...all, finalizedSinceMillis, problem: all.problem ?? rebuildProblem ?? null },
        now,
      )
    }).pipe(sql.withTransaction)

  return {
    report,

    reportProblem: (fence: Fence, error: { readonly message: string }) =>
      report(fence, {
        ...NOTHING_FOUND,
        problem: error.message,
        ...(error instanceof AnotherChain && { otherCluster: error.configured }),
      }),

    reportPools: Effect.fnUntraced(function* (
      fence: Fence,
      { dueSince, ...facts }: Omit<PoolsReport, "dueSince" | "provenSlot"> & { readonly dueSince: Date | null },
    ) {
      const origin = (yield* reports.leader)?.originSlot
      const proven = typeof origin === "string" ? yield* provenRange(sql).onFrom(BigInt(origin)) : undefined
      const said: PoolsReport = {
        ...facts,
        dueSince: dueSince?.toISOString() ?? null,
        provenSlot: proven === undefined ? null : String(proven),
      }
      const write = Effect.flatMap(Clock.currentTimeMillis, (now) => reports.write("pools", said, new Date(now)))
      yield* Effect.andThen(lease.hold(fence), write).pipe(sql.withTransaction)
    }),

    /** Why a rebuild fails, or that it does not any more. */
    tellRebuild: (fence: Fence) => (problem: string | undefined) =>
      Effect.gen(function* () {
        if (problem !== undefined && problem !== rebuildProblem) yield* Effect.logWarning(problem)
        const isNews = problem !== rebuildProblem
        rebuildProblem = problem
        if (isNews) yield* report(fence, { problem: null })
      }),
  }
}
