import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError } from "effect/sql/SqlError"
import { type Fence, LeaseLost } from "../leader/Lease.ts"
import type { TableDigest } from "../replay/Digest.ts"
import { dropRebuilt, isRebuildDue } from "../replay/BeginRebuild.ts"
import { replay } from "../replay/Rebuild.ts"
import { type ReplayProgress, reportReplay } from "../replay/ReplayProgress.ts"
import { type JobRow, jobStatements } from "./JobStatements.ts"
import { JobCancelled } from "./Turn.ts"

/** Tables that a replay made different, in words. */
const verdictOf = (live: ReadonlyArray<TableDigest>, rebuilt: ReadonlyArray<TableDigest>): string => {
  const before = new Map(live.map(({ digest, table }) => [table, digest]))
  const changed = rebuilt.filter(({ digest, table }) => before.get(table) !== digest).map(({ table }) => table)
  return changed.length === 0 ? "the tables are the same as before" : `these tables changed: ${changed.join(", ")}`
}

/** Derives all tables again beside following, and says what came of it. What a failed or cancelled one has derived is dropped, but not where the
 * database failed: it goes on from there. */
export const replayJob = Effect.fn("replayJob")(function* ({ id }: JobRow, fence: Fence) {
  const sql = yield* SqlClient
  const jobs = jobStatements(sql)
  const report = yield* reportReplay(sql)
  const onProgress = (progress: ReplayProgress) =>
    Effect.gen(function* () {
      yield* report(progress)
      const isWanted = yield* jobs.progress(id, { done: progress.logOffset, total: progress.headOffset })
      if (!isWanted) return yield* new JobCancelled()
    })
  const { live, rebuilt, transactions } = yield* replay(fence, onProgress).pipe(
    Effect.tapError((error) =>
      error instanceof LeaseLost || isSqlError(error)
        ? Effect.void
        : Effect.flatMap(isRebuildDue, (isDue) => (isDue ? Effect.void : dropRebuilt(fence))),
    ),
  )
  return `Derived from ${transactions} transactions: ${verdictOf(live, rebuilt)}`
})
