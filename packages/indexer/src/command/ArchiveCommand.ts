import { Console, Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { ArchiveNotConfigured } from "../archive/ArchiveFault.ts"
import { archiveStatements } from "../archive/ArchiveStatements.ts"
import { LogArchive } from "../archive/LogArchive.ts"
import { eachObject, faultOfObject, restoreObject } from "../archive/RestoreArchive.ts"
import { CommandFailed } from "./CommandFailed.ts"
import { leading } from "./LeadingCommand.ts"
import { progressBar } from "./ProgressBar.ts"

const figures = Effect.flatMap(SqlClient, (sql) => archiveStatements(sql).figures)

/** What is in the archive, if anything is. */
export const printArchive = Effect.gen(function* () {
  const { bytes, lastOffset, moved, objects, segments } = yield* figures
  if (objects === 0n) return
  yield* Console.log(
    `archive: ${objects} objects of ${bytes} bytes hold ${segments} segments up to offset ${lastOffset}; ${moved} objects are in the archive alone`,
  )
})

/** The archive, where segments are in one; `undefined` where none are. */
const usedArchive = Effect.gen(function* () {
  const archive = yield* LogArchive
  const { objects } = yield* figures
  if (objects === 0n) return yield* Effect.as(Console.log("No segment of the log is in an archive"), undefined)
  return archive === undefined ? yield* new ArchiveNotConfigured() : { archive, objects: Number(objects) }
})

/** Downloads every object, and names those that are not as they were uploaded. */
export const verifyArchive = Effect.gen(function* () {
  const used = yield* usedArchive
  if (used === undefined) return
  const show = yield* progressBar("Verifying")
  const faults: Array<string> = []
  let done = 0
  yield* eachObject((object) =>
    Effect.gen(function* () {
      const fault = yield* faultOfObject(used.archive, object)
      if (fault !== undefined) faults.push(`${object.name}: ${fault}`)
      yield* show(++done, used.objects, `${faults.length} faults`)
    }),
  )
  if (faults.length > 0) return yield* new CommandFailed({ reason: faults.join("\n") })
  yield* Console.log(`${done} objects are as they were uploaded`)
})

/** Takes everything back into PostgreSQL, object by object: what is done stays done when it ends early. */
export const restoreArchive = (isConfirmed: boolean) =>
  leading((fence) =>
    Effect.gen(function* () {
      if (!isConfirmed)
        return yield* new CommandFailed({
          reason:
            "restore-archive takes the archived segments back into PostgreSQL. Say restore-archive --yes to do so",
        })
      const used = yield* usedArchive
      if (used === undefined) return
      const show = yield* progressBar("Restoring")
      let done = 0
      yield* eachObject((object) =>
        Effect.andThen(
          restoreObject(used.archive, object, fence),
          Effect.suspend(() => show(++done, used.objects, object.name)),
        ),
      )
      yield* Console.log(
        `${done} objects are in PostgreSQL again. Unset INBOX_ARCHIVE_URL for the service, or they are archived again`,
      )
    }),
  )
