import type { ReportName } from "@launch-registry/domain/system/LeaderReport"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, LeaseLost, transactionsUnder } from "./Lease.ts"
import { reportStatements } from "./ReportStatements.ts"

/** After a failure; twice as long after each further one. */
const RETRY_MILLIS = 60_000
const RETRY_MILLIS_MAX = 1_800_000
const REPORT_LENGTH_MAX = 500

interface Problem {
  readonly message: string
}

/** How rounds are reported. */
export interface ReportedRoundsOptions<Done> {
  readonly name: ReportName
  /** Told of each round; returns how long the next ones are left out. */
  readonly onDone: (done: Done) => Effect.Effect<number>
  /** What a round that did its work could not do beside that; by default nothing. */
  readonly problemOf?: (done: Done) => Problem | undefined
  readonly retryMillis?: number
}

/**
 * A round of work against a service outside, for one leader, and the report about it: why the last one failed, and since when all have. After
 * failures rounds are left out for longer and longer, up to half an hour. Where the work returns `undefined`, there is no such service, and
 * the report is deleted.
 */
export const reportedRounds = Effect.fnUntraced(function* <Done extends object, E extends Problem, R>(
  work: Effect.Effect<Done | undefined, E, R>,
  { name, onDone, problemOf = () => undefined, retryMillis = RETRY_MILLIS }: ReportedRoundsOptions<Done>,
  fence: Fence,
) {
  const sql = yield* SqlClient
  const reports = reportStatements(sql)
  let failures = 0
  let failingSince: string | undefined
  let dueMillis = 0
  let isForgotten = false

  const held = transactionsUnder(sql, fence)
  const report = (facts: { readonly problem: string | null; readonly failingSince: string | null }, millis: number) =>
    held(reports.write(name, facts, new Date(millis)))

  const reportProblem = (error: Problem, millis: number) => {
    failingSince ??= new Date(millis).toISOString()
    isForgotten = false
    return report({ problem: error.message.slice(0, REPORT_LENGTH_MAX), failingSince }, millis)
  }

  const failed = Effect.fnUntraced(function* (error: Problem) {
    const millis = yield* Clock.currentTimeMillis
    dueMillis = millis + Math.min(retryMillis * 2 ** failures++, RETRY_MILLIS_MAX)
    yield* reportProblem(error, millis)
  })

  return Effect.gen(function* () {
    if ((yield* Clock.currentTimeMillis) < dueMillis) return
    const done = yield* Effect.tapError(work, (error) => (error instanceof LeaseLost ? Effect.void : failed(error)))
    failures = 0
    dueMillis = 0
    const problem = done === undefined ? undefined : problemOf(done)
    if (problem === undefined) failingSince = undefined
    if (done === undefined) {
      // There is no such service any more: what the last round failed with is over.
      if (!isForgotten) yield* held(reports.forget(name))
      isForgotten = true
      return
    }
    const millis = yield* Clock.currentTimeMillis
    if (problem === undefined) yield* report({ problem: null, failingSince: null }, millis)
    else yield* reportProblem(problem, millis)
    dueMillis = millis + (yield* onDone(done))
  })
})

/** Rounds over and over, with a pause between; ends when the lease is lost. */
export const overAndOver = <E, E2, R, R2>(
  what: string,
  everyMillis: number,
  rounds: Effect.Effect<Effect.Effect<void, E, R>, E2, R2>,
) =>
  Effect.flatMap(rounds, (round) =>
    Effect.flatMap(Effect.context<R>(), (context) =>
      regularly(what, everyMillis, Effect.provide(round, context), (error) => error instanceof LeaseLost),
    ),
  )
