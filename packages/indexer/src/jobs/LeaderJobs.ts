import type { RpcError } from "@launch-registry/chain/rpc/RpcError"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { isSqlError, type SqlError } from "effect/sql/SqlError"
import type { AnotherChain } from "../identity/ChainIdentity.ts"
import { type Fence, LeaseLost, leaseStatements } from "../leader/Lease.ts"
import { dropAbandoned, isRebuildDue } from "../replay/BeginRebuild.ts"
import { rebuild } from "../replay/Rebuild.ts"
import type { SlotRange } from "../sources/SlotRanges.ts"
import { backfillJob, type Descent } from "./BackfillJob.ts"
import { type JobRow, jobStatements } from "./JobStatements.ts"
import { repairJob } from "./RepairJob.ts"
import { replayJob } from "./ReplayJob.ts"
import { JobCancelled, done, failed, type Outcome } from "./Turn.ts"

export interface LeaderJobsOptions {
  /** How often the leader looks for jobs. */
  readonly lookMillis: number
  /** Until a backfill, a repair or a rebuild that failed is tried again. */
  readonly retryMillis: number
}

/** A backfill or repair that fails so often in a row, without a page done in between, has failed. */
const FAILURES_MAX = 10
/** A job that ends its process would be begun for ever. */
const STARTS_MAX = 20

/** Keeps a turn apart from the regular rounds, and on the chain of the index. */
export type Turns = <A, E, R>(turn: Effect.Effect<A, E, R>) => Effect.Effect<A, E | AnotherChain | RpcError, R>

/** Told why a rebuild fails, and of nothing once one has ended. */
export type TellProblem = (problem: string | undefined) => Effect.Effect<void, LeaseLost | SqlError>

const nameOf = ({ fromSlot, id, kind, toSlot }: JobRow): string =>
  kind === "replay"
    ? `Indexer job ${id}, a replay`
    : `Indexer job ${id}, a ${kind} from slot ${fromSlot}${toSlot === null ? "" : ` to ${toSlot}`}`

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Jobs run beside everything else that the leader does, one after the other, the oldest first. */
export const leaderJobs = Effect.fn("leaderJobs")(function* ({ lookMillis, retryMillis }: LeaderJobsOptions) {
  const sql = yield* SqlClient
  const lease = leaseStatements(sql)
  const jobs = jobStatements(sql)
  const backfill = yield* backfillJob
  const repair = yield* repairJob
  const context = yield* Effect.context<Effect.Services<ReturnType<typeof replayJob>>>()

  const end = Effect.fnUntraced(function* (job: JobRow, fence: Fence, { detail, state }: Outcome) {
    yield* Effect.andThen(lease.hold(fence), jobs.end(job.id, state, detail)).pipe(sql.withTransaction)
    yield* state === "done"
      ? Effect.logInfo(`${nameOf(job)}: ${detail}`)
      : Effect.logWarning(`${nameOf(job)}, failed: ${detail}`)
  })

  /** `undefined` if it is not to be done any more. */
  const start = Effect.fnUntraced(function* (next: JobRow, fence: Fence) {
    const job = yield* Effect.andThen(lease.hold(fence), jobs.start(next.id)).pipe(sql.withTransaction)
    if (job === undefined) return undefined
    if (job.starts > STARTS_MAX) {
      yield* end(job, fence, failed(`It was begun ${STARTS_MAX} times and never ended: see the log of the leaders`))
      return undefined
    }
    yield* Effect.logInfo(`${nameOf(job)}: ${job.starts === 1 ? "begun" : "goes on"}`)
    return job
  })

  /** A backfill or a repair, turn by turn. */
  const inTurns = Effect.fnUntraced(function* (job: JobRow, fence: Fence, inTurn: Turns) {
    let range: SlotRange | undefined
    let missing = 0
    let failures = 0
    const descent: Descent = { top: undefined, problem: undefined }
    const turn = Effect.fnUntraced(function* (slots: SlotRange) {
      if (job.kind === "repair") return yield* repair.turn(job.id, slots, fence, () => (failures = 0))
      const isDone = yield* backfill.turn(job.id, slots, descent, fence, (lacked) => {
        missing += lacked
        failures = 0
      })
      if (!isDone) return undefined
      const lacked = missing === 1 ? "1 transaction was missing" : `${missing} transactions were missing`
      return done(`Slots ${slots.fromSlot} to ${slots.toSlot} are proven; ${lacked}`)
    })
    const attempt = Effect.gen(function* () {
      range ??= yield* backfill.rangeOf(job)
      return range === undefined ? failed(`Slot ${job.fromSlot} is not finalized yet`) : yield* turn(range)
    })
    const retried = Effect.catchTag(inTurn(attempt), ["HistoryIncomplete", "RpcError"], (error) =>
      Effect.gen(function* () {
        failures++
        if (failures === FAILURES_MAX) {
          const soFar = job.kind === "repair" ? `. Until then: ${yield* repair.soFar(job.id)}` : ""
          return failed(`${error.message}${soFar}`)
        }
        yield* jobs.note(job.id, error.message)
        yield* Effect.sleep(retryMillis)
        return undefined
      }),
    )
    let outcome: Outcome | undefined
    while (outcome === undefined) {
      // Until then the tables have rows of another version.
      while (job.kind === "repair" && (yield* isRebuildDue)) yield* Effect.sleep(lookMillis)
      outcome = yield* retried
    }
    if (outcome.state === "done") yield* backfill.folded
    yield* end(job, fence, outcome)
  })

  const cancelled = (job: JobRow) => Effect.logInfo(`${nameOf(job)}: cancelled`)

  const replayOne = (job: JobRow, fence: Fence) =>
    Effect.provide(replayJob(job, fence), context).pipe(
      Effect.matchEffect({
        onSuccess: (detail) => end(job, fence, done(detail)),
        onFailure: (error) => {
          if (error instanceof JobCancelled) return cancelled(job)
          if (error instanceof LeaseLost) return Effect.fail(error)
          // The database failed, which says nothing of the job: it is begun again, and goes on.
          if (isSqlError(error)) return Effect.andThen(jobs.note(job.id, messageOf(error)), Effect.sleep(retryMillis))
          return end(job, fence, failed(messageOf(error)))
        },
      }),
    )

  /** What the modules of another version derived is derived again. A failure is told and tried again: following does not wait for it. */
  const rebuildDue = Effect.fnUntraced(function* (fence: Fence, tell: TellProblem) {
    const failure = yield* Effect.provide(rebuild(fence), context).pipe(
      Effect.as(undefined),
      Effect.catch((error) => (error instanceof LeaseLost ? Effect.fail(error) : Effect.succeed(messageOf(error)))),
    )
    yield* tell(failure === undefined ? undefined : `Deriving all tables again failed: ${failure}`)
    if (failure !== undefined) yield* Effect.sleep(retryMillis)
  })

  const doInTurns = Effect.fnUntraced(function* (next: JobRow, fence: Fence, inTurn: Turns) {
    const job = yield* start(next, fence)
    if (job === undefined) return
    yield* Effect.catchTag(inTurns(job, fence, inTurn), "JobCancelled", () => cancelled(job))
  })

  return {
    /** Whether a replay is next, which goes on with what an earlier leader derived. */
    isReplayNext: Effect.map(jobs.next, (job) => job?.kind === "replay"),

    /** Does the backfills and repairs that are next. */
    backfills: (fence: Fence, inTurn: Turns) =>
      Effect.gen(function* () {
        while (true) {
          const next = yield* jobs.next
          const isIts = next?.kind === "backfill" || next?.kind === "repair"
          if (isIts) yield* doInTurns(next, fence, inTurn)
          else yield* Effect.sleep(lookMillis)
        }
      }),

    /** Does one of them, whatever waits before it. */
    doInTurns,

    /** Does the replays that are next, and the rebuild that is due. */
    replays: (fence: Fence, tell: TellProblem) =>
      Effect.gen(function* () {
        while (true) {
          const next = yield* jobs.next
          const job = next?.kind === "replay" ? yield* start(next, fence) : undefined
          if (job !== undefined) yield* replayOne(job, fence)
          else if (yield* isRebuildDue) yield* rebuildDue(fence, tell)
          else {
            if (next?.kind !== "replay") yield* dropAbandoned(fence)
            yield* Effect.sleep(lookMillis)
          }
        }
      }),
  }
})
