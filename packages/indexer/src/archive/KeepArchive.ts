import type { ArchiveReport } from "@launch-registry/domain/system/LeaderReport"
import { regularly } from "@launch-registry/postgres/Regularly"
import { Clock, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, LeaseLost, leaseStatements } from "../leader/Lease.ts"
import { reportStatements } from "../leader/ReportStatements.ts"
import { ArchiveNotConfigured } from "./ArchiveFault.ts"
import { archiveRound, type ArchiveRoundOptions } from "./ArchiveRound.ts"
import { archiveStatements } from "./ArchiveStatements.ts"
import { LogArchive } from "./LogArchive.ts"

/** What a leader does for the archive. */
export interface ArchivingOptions extends ArchiveRoundOptions {
  /** How often it looks for what can be archived. */
  readonly everyMillis?: number
  /** The same after it found nothing. */
  readonly idleMillis?: number
}

const EVERY_MILLIS = 60_000
/** To look is to read through what is not archived: after a round that found nothing the next ones are left out. */
const IDLE_MILLIS = 300_000
/** After a failure; twice as long after each further one. */
const RETRY_MILLIS = 60_000
const RETRY_MILLIS_MAX = 1_800_000
const REPORT_LENGTH_MAX = 500

/**
 * Rounds of archiving for one leader, and the report about them. After failures rounds are left out for longer and longer, up to half an
 * hour. Without an archive it only says so where there was one.
 */
export const archiveRounds = Effect.fnUntraced(function* (options: ArchivingOptions, fence: Fence) {
  const { idleMillis = IDLE_MILLIS } = options
  const sql = yield* SqlClient
  const archive = yield* LogArchive
  const lease = leaseStatements(sql)
  const reports = reportStatements(sql)
  const { isUsed } = archiveStatements(sql)
  let failures = 0
  let failingSince: string | undefined
  let dueMillis = 0
  let isForgotten = false

  const report = (facts: ArchiveReport, millis: number) =>
    Effect.andThen(lease.hold(fence), reports.write("archive", facts, new Date(millis))).pipe(sql.withTransaction)

  const work = Effect.gen(function* () {
    if (archive !== undefined) return yield* archiveRound(archive, options, fence)
    if (yield* isUsed) return yield* new ArchiveNotConfigured()
    return undefined
  })

  const failed = Effect.fnUntraced(function* (error: { readonly message: string }) {
    const millis = yield* Clock.currentTimeMillis
    dueMillis = millis + Math.min(RETRY_MILLIS * 2 ** failures++, RETRY_MILLIS_MAX)
    failingSince ??= new Date(millis).toISOString()
    isForgotten = false
    yield* report({ problem: error.message.slice(0, REPORT_LENGTH_MAX), failingSince }, millis)
  })

  return Effect.gen(function* () {
    if ((yield* Clock.currentTimeMillis) < dueMillis) return
    const done = yield* Effect.tapError(work, (error) => (error instanceof LeaseLost ? Effect.void : failed(error)))
    failures = 0
    failingSince = undefined
    dueMillis = 0
    if (done === undefined) {
      // There is no archive any more: what the last one failed with is over.
      if (!isForgotten) yield* Effect.andThen(lease.hold(fence), reports.forget("archive")).pipe(sql.withTransaction)
      isForgotten = true
      return
    }
    const millis = yield* Clock.currentTimeMillis
    yield* report({ problem: null, failingSince: null }, millis)
    const { archived, moved } = done
    if (archived + moved === 0) dueMillis = millis + idleMillis
    else yield* Effect.logInfo(`Archived ${archived} objects of the log, and moved ${moved} out of PostgreSQL`)
  })
})

/** The same, over and over; ends when the lease is lost. */
export const keepArchive = ({ everyMillis = EVERY_MILLIS, ...options }: ArchivingOptions, fence: Fence) =>
  Effect.flatMap(archiveRounds(options, fence), (round) =>
    Effect.flatMap(Effect.context<SqlClient>(), (context) =>
      regularly(
        "Archiving the log",
        everyMillis,
        Effect.provide(round, context),
        (error) => error instanceof LeaseLost,
      ),
    ),
  )
