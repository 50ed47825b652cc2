import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import type { Fence } from "../leader/Lease.ts"
import { overAndOver, reportedRounds } from "../leader/ReportedRounds.ts"
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

/** Rounds of archiving for one leader, and the report about them. Without an archive it only says so where there was one. */
export const archiveRounds = Effect.fnUntraced(function* (options: ArchivingOptions, fence: Fence) {
  const { idleMillis = IDLE_MILLIS } = options
  const archive = yield* LogArchive
  const { isUsed } = archiveStatements(yield* SqlClient)

  const work = Effect.gen(function* () {
    if (archive !== undefined) return yield* archiveRound(archive, options, fence)
    if (yield* isUsed) return yield* new ArchiveNotConfigured()
    return undefined
  })
  const onDone = ({ archived, moved }: { readonly archived: number; readonly moved: number }) =>
    archived + moved === 0
      ? Effect.succeed(idleMillis)
      : Effect.as(Effect.logInfo(`Archived ${archived} objects of the log, and moved ${moved} out of PostgreSQL`), 0)
  return yield* reportedRounds(work, { name: "archive", onDone }, fence)
})

/** The same, over and over; ends when the lease is lost. */
export const keepArchive = ({ everyMillis = EVERY_MILLIS, ...options }: ArchivingOptions, fence: Fence) =>
  overAndOver("Archiving the log", everyMillis, archiveRounds(options, fence))
