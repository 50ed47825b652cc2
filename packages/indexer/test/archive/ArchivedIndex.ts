import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { BUCKET, CREDENTIALS, s3StandIn } from "../../../s3/test/S3StandIn.ts"
import { archiveRound, type ArchiveRoundOptions } from "../../src/archive/ArchiveRound.ts"
import { type ArchiveOptions, LogArchive, logArchive } from "../../src/archive/LogArchive.ts"
import type { Fence } from "../../src/leader/Lease.ts"
import { blocks, reconciledIndex } from "../finality/ReconciledIndex.ts"
import { wholeLog } from "../retention/SweptIndex.ts"
import { standInCluster } from "../StandInCluster.ts"
import { digest, lead } from "../TestIndex.ts"

/** An archive at a stand-in, with little patience. */
export const archiveAt = ({ url }: { readonly url: string }, options: Partial<ArchiveOptions> = {}) =>
  logArchive({
    ...{ endpoint: url, bucket: BUCKET, region: "us-east-1" },
    ...{ key: Redacted.make(CREDENTIALS.key), secret: Redacted.make(CREDENTIALS.secret) },
    ...{ retryMillis: 1, retries: 3 },
    ...options,
  })

/** An index whose log has an archive, and the stand-in that it is at. */
export const archivedIndex = <A, E>(
  test: (
    standIn: Effect.Success<typeof s3StandIn>,
    archive: LogArchive,
  ) => Effect.Effect<A, E, Layer.Success<ReturnType<typeof reconciledIndex>>>,
  options: Partial<ArchiveOptions> = {},
) =>
  Effect.gen(function* () {
    const standIn = yield* s3StandIn
    const archive = archiveAt(standIn, options)
    const cluster = yield* standInCluster(blocks)
    return yield* test(standIn, archive).pipe(
      Effect.provide(reconciledIndex(cluster).pipe(Layer.provideMerge(Layer.succeed(LogArchive, archive)))),
      Effect.provideService(LogArchive, archive),
    )
  })

/** Segments per object. */
export const OBJECT_SEGMENTS = 6

/** One round; segments leave PostgreSQL at once. */
export const archived = (archive: LogArchive, fence: Fence, options: Partial<ArchiveRoundOptions> = {}) =>
  archiveRound(archive, { keepMillis: 0, objectSegments: OBJECT_SEGMENTS, ...options }, fence)

/** A log that is proven and, as far as it fills objects, in the archive alone; and the digest of its tables. */
export const archivedLog = Effect.fnUntraced(function* (archive: LogArchive) {
  const fence = yield* lead
  yield* wholeLog(fence)
  yield* archived(archive, fence)
  return { fence, whole: yield* digest }
})

/** Where the bytes of the segments are, by their offsets. */
export const placesOfLog = Effect.gen(function* () {
  const sql = yield* SqlClient
  const rows = yield* sql<{ readonly logOffset: bigint; readonly isHere: boolean; readonly isThere: boolean }>`
    select log_offset, bytes is not null as is_here, archive_offset is not null as is_there
    from inbox_segments order by log_offset`
  const offsetsOf = (isHere: boolean, isThere: boolean) =>
    rows.filter((row) => row.isHere === isHere && row.isThere === isThere).map(({ logOffset }) => Number(logOffset))
  return { here: offsetsOf(true, false), both: offsetsOf(true, true), there: offsetsOf(false, true) }
})

export const objectsOf = Effect.flatMap(
  SqlClient,
  (sql) => sql<{ readonly name: string; readonly segments: number; readonly movedAt: Date | null }>`
    select name, segments, moved_at from inbox_archives order by first_offset`,
)
