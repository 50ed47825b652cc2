import { sharedClock } from "@launch-registry/postgres/SharedClock"
import type { S3Failed } from "@launch-registry/s3/S3Failed"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { type Fence, transactionsUnder } from "../leader/Lease.ts"
import { closedLog } from "../retention/ClosedLog.ts"
import { ArchiveDamaged } from "./ArchiveFault.ts"
import { archiveStatements, type ArchivedObject, type ClosedSegment } from "./ArchiveStatements.ts"
import type { LogArchive } from "./LogArchive.ts"
import { packObject, type PackedSegment } from "./PackedObject.ts"

/** How segments are archived. */
export interface ArchiveRoundOptions {
  /** How long segments that are in the archive stay in PostgreSQL as well. */
  readonly keepMillis: number
  /** An object has at least so many bytes, or so many segments; what is less waits. */
  readonly objectBytes?: number
  readonly objectSegments?: number
  /** Objects that one round makes, and that it empties here. */
  readonly objectsMax?: number
}

/** What a round did. */
export interface ArchiveRound {
  readonly archived: number
  readonly moved: number
}

/** Few requests for what a replay reads, and little memory for what is made of it. */
const OBJECT_BYTES = 16 * 1024 * 1024
/** Recording an object locks out folding: this many rows take some tens of milliseconds. */
const OBJECT_SEGMENTS = 4_000
/** A gibibyte; the next round goes on. */
const OBJECTS_MAX = 64

/**
 * Archives what is closed: proven, folded and compared, so that only a replay reads it. An object is uploaded, read back, and recorded when
 * its SHA-256 is right; after `keepMillis` its bytes are deleted here, by a transaction of its own. Whatever ends this process in between,
 * segments are in PostgreSQL, in the archive, or in both; an object that nothing names is uploaded again under the same name.
 */
export const archiveRound = Effect.fn("archiveRound", { kind: "consumer", root: true })(function* (
  archive: LogArchive,
  options: ArchiveRoundOptions,
  fence: Fence,
) {
  const { keepMillis, objectBytes = OBJECT_BYTES, objectSegments = OBJECT_SEGMENTS, objectsMax = OBJECTS_MAX } = options
  const sql = yield* SqlClient
  const statements = archiveStatements(sql)
  const closed = closedLog(sql)
  const clock = yield* sharedClock

  const held = transactionsUnder(sql, fence)

  let archived = 0
  let problem: S3Failed | ArchiveDamaged | undefined

  /** The segments of the next object; none while they do not fill one. */
  const next = Effect.gen(function* () {
    const range = yield* closed.proven
    if (range === undefined) return []
    const found = yield* statements.closed(range, yield* closed.settled, objectBytes, objectSegments)
    const bytes = found.reduce((sum, { length }) => sum + length, 0)
    return bytes >= objectBytes || found.length >= objectSegments ? found : []
  })

  const read = Effect.fnUntraced(function* (found: ReadonlyArray<ClosedSegment>) {
    const segments: Array<PackedSegment> = []
    while (segments.length < found.length) {
      const some = yield* statements.bytesOf(found.slice(segments.length).map(({ logOffset }) => logOffset))
      // They were deleted meanwhile, by another leader or by an operator.
      if (some.length === 0) return []
      segments.push(...some)
    }
    return segments
  })

  /** Whether there was an object to make. */
  const archiveOne = Effect.gen(function* () {
    const found = yield* next
    const segments = yield* read(found)
    if (segments.length === 0) return false
    const object = yield* packObject(segments)
    const sha256 = object.sha256.toString("hex")
    yield* archive.put(object.name, object.body, sha256)
    const stored = yield* archive.readBack(object.name, object.body.length)
    if (stored === undefined)
      return yield* new ArchiveDamaged({ object: object.name, reason: "it was uploaded, and is not there" })
    if (stored.bytes !== object.body.length || stored.sha256 !== sha256)
      return yield* new ArchiveDamaged({ object: object.name, reason: "other bytes read back" })
    const transactions = BigInt(found.reduce((sum, one) => sum + one.transactions, 0))
    yield* held(
      Effect.gen(function* () {
        const recorded = yield* statements.record(object, transactions, yield* clock)
        if (recorded !== segments.length)
          return yield* new ArchiveDamaged({ object: object.name, reason: "its segments were changed meanwhile" })
      }),
    )
    return true
  })

  /** A last look before the bytes go; `undefined` if all is well. */
  const faultOf = Effect.fnUntraced(function* ({ bytes, name }: ArchivedObject) {
    const size = yield* archive.sizeOf(name)
    if (size === undefined) return new ArchiveDamaged({ object: name, reason: "it is not there any more" })
    // Some services do not say.
    if (size === Number(bytes) || Number.isNaN(size)) return undefined
    return new ArchiveDamaged({ object: name, reason: `it has ${size} bytes instead of ${bytes}` })
  })

  const moveOld = Effect.gen(function* () {
    let moved = 0
    for (const object of yield* statements.kept(keepMillis, yield* clock, objectsMax)) {
      const fault = yield* faultOf(object)
      if (fault === undefined) {
        yield* held(Effect.flatMap(clock, (moment) => statements.move(object, moment)))
        moved++
        continue
      }
      // Its segments are still here, and are uploaded again: to the bucket that the settings name now.
      yield* held(statements.forget(object))
      problem ??= fault
    }
    return moved
  })

  const archiveAll = Effect.gen(function* () {
    while (archived < objectsMax && (yield* archiveOne)) archived++
  })
  // What was archived before can be moved although the bucket takes no more.
  yield* Effect.catchTag(archiveAll, ["S3Failed", "ArchiveDamaged"], (error) =>
    Effect.sync(() => {
      problem = error
    }),
  )
  const moved = yield* moveOld
  if (problem !== undefined) return yield* Effect.fail(problem)
  return { archived, moved } satisfies ArchiveRound
})
