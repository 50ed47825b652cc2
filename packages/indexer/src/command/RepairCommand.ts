import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Indexer } from "../Indexer.ts"
import { type JobDraft, jobStatements } from "../jobs/JobStatements.ts"
import { leaderJobs } from "../jobs/LeaderJobs.ts"
import type { Fence } from "../leader/Lease.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { progressBar } from "./ProgressBar.ts"

const PACE = { lookMillis: 1_000, retryMillis: 5_000 }
const SHOWN_MILLIS = 500
const REASON = "asked for by the command line"

/** Does a repair as the leader. It is a job, so that whoever leads next goes on if the command is killed. */
export const repair = Effect.fnUntraced(function* (fromSlot: bigint, to: bigint | undefined, fence: Fence) {
  const sql = yield* SqlClient
  const indexer = yield* Indexer
  const jobs = jobStatements(sql)
  const { doInTurns } = yield* leaderJobs(PACE)
  const draft: JobDraft = { kind: "repair", fromSlot, toSlot: to ?? null, reason: REASON }
  const job = yield* Effect.gen(function* () {
    yield* jobs.lock
    return (yield* jobs.repairFrom(fromSlot, to)) ?? (yield* jobs.insert(draft))
  }).pipe(sql.withTransaction)
  const show = yield* progressBar("Reading again")
  const shown = Effect.forever(
    Effect.gen(function* () {
      yield* Effect.sleep(SHOWN_MILLIS)
      const { detail, done, total } = (yield* jobs.byId(job.id)) ?? job
      if (total !== null && done < total) yield* show(Number(done), Number(total), detail ?? "")
    }),
  )
  const work = doInTurns(job, fence, (turn) => turn)
  yield* Effect.raceFirst(work, Effect.andThen(indexer.follow(fence), Effect.never)).pipe(Effect.raceFirst(shown))
  const ended = yield* jobs.byId(job.id)
  if (ended?.state !== "done") return yield* new CommandFailed({ reason: ended?.detail ?? "The job was cancelled" })
  yield* Console.log(ended.detail)
})
