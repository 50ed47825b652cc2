import { createHash } from "node:crypto"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, leaseStatements } from "../leader/Lease.ts"
import { ArchiveUnreadable } from "./ArchiveFault.ts"
import { archiveStatements, type ArchivedObject } from "./ArchiveStatements.ts"
import type { LogArchive } from "./LogArchive.ts"

/** Every object of the archive, in the order of the log. */
export const eachObject = Effect.fnUntraced(function* <E, R>(
  work: (object: ArchivedObject) => Effect.Effect<void, E, R>,
) {
  const { objectsAfter } = archiveStatements(yield* SqlClient)
  let after = -1n
  for (;;) {
    const page = yield* objectsAfter(after)
    for (const object of page) yield* work(object)
    const last = page.at(-1)
    if (last === undefined) return
    after = last.firstOffset
  }
})

/** Why an object is not as it was uploaded; `undefined` if it is. */
export const faultOfObject = Effect.fnUntraced(function* (
  archive: LogArchive,
  { bytes, name, sha256 }: ArchivedObject,
) {
  const stored = yield* archive.readBack(name, Number(bytes))
  if (stored === undefined) return "it is not there"
  if (stored.bytes !== Number(bytes)) return `it has not ${bytes} bytes`
  return stored.sha256 === Buffer.from(sha256).toString("hex") ? undefined : "its bytes are others"
})

/** Takes the segments of an object back into PostgreSQL, and forgets the object. It stays in the bucket. */
export const restoreObject = Effect.fn("restoreObject")(function* (
  archive: LogArchive,
  object: ArchivedObject,
  fence: Fence,
) {
  const sql = yield* SqlClient
  const statements = archiveStatements(sql)
  const { name, sha256 } = object
  const unreadable = (reason: string) => new ArchiveUnreadable({ object: name, reason })
  const whole = yield* Effect.mapError(archive.range(name, 0, Number(object.bytes)), ({ reason }) => unreadable(reason))
  if (!createHash("sha256").update(whole).digest().equals(sha256))
    return yield* unreadable("its bytes are not those that were uploaded")
  yield* Effect.gen(function* () {
    yield* leaseStatements(sql).hold(fence)
    yield* statements.takeBack(object, whole)
    yield* statements.forget(object)
  }).pipe(sql.withTransaction)
})
