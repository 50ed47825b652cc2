import { createHash } from "node:crypto"
import { Effect } from "effect"
import { ArchiveNotConfigured, ArchiveUnreadable } from "./ArchiveFault.ts"
import { LogArchive } from "./LogArchive.ts"
import type { StoredSegment } from "./StoredSegment.ts"

/** What is read of an object at once by a reader that goes through all of it: fewer requests, each worth its round trip. */
const AHEAD_BYTES = 4 * 1024 * 1024

/** A part of an object. */
interface Part {
  readonly object: string
  readonly start: number
  readonly bytes: Buffer
}

/** A segment that is in the archive alone. */
interface Place {
  readonly object: string
  readonly size: number
  readonly start: number
  readonly length: number
  readonly sha256: Uint8Array
}

const placeOf = ({ archiveBytes, archiveObject, archiveSha256, archiveSize, archiveStart }: StoredSegment) =>
  archiveObject === null || archiveSize === null || archiveStart === null || archiveBytes === null || !archiveSha256
    ? undefined
    : ({
        ...{ object: archiveObject, size: Number(archiveSize), start: Number(archiveStart) },
        ...{ length: archiveBytes, sha256: archiveSha256 },
      } satisfies Place)

const isWhole = (bytes: Uint8Array, { sha256 }: Place): boolean =>
  createHash("sha256").update(bytes).digest().equals(sha256)

/**
 * Reads the bytes of segments, from PostgreSQL or from the archive. What comes from the archive has the SHA-256 that was stored when it was
 * uploaded, or is not used. A reader that goes on to the next segments (`isOnward`) keeps the rest of what it has read, up to 4 MiB.
 */
export const segmentReader = Effect.fnUntraced(function* ({ isOnward }: { readonly isOnward: boolean }) {
  const archive = yield* LogArchive
  let ahead: Part | undefined

  const fetched = Effect.fnUntraced(function* (place: Place) {
    if (archive === undefined) return yield* new ArchiveNotConfigured()
    const { length, object, size, start } = place
    const wanted = isOnward ? Math.max(length, Math.min(AHEAD_BYTES, size - start)) : length
    const bytes = yield* Effect.mapError(
      archive.range(object, start, wanted),
      ({ reason }) => new ArchiveUnreadable({ object, reason }),
    )
    ahead = isOnward && wanted > length ? { object, start, bytes } : undefined
    return bytes.subarray(0, length)
  })

  const inPart = ({ length, object, start }: Place): Uint8Array | undefined => {
    if (ahead === undefined || ahead.object !== object) return undefined
    const from = start - ahead.start
    return from >= 0 && from + length <= ahead.bytes.length ? ahead.bytes.subarray(from, from + length) : undefined
  }

  const archived = Effect.fnUntraced(function* (place: Place) {
    const known = inPart(place)
    if (known !== undefined && isWhole(known, place)) return known
    // What was damaged on the way is right the second time.
    for (let attempt = 0; attempt < 2; attempt++) {
      const bytes = yield* fetched(place)
      if (isWhole(bytes, place)) return bytes
    }
    ahead = undefined
    const reason = `its bytes from ${place.start} to ${place.start + place.length - 1} are not those that were uploaded`
    return yield* new ArchiveUnreadable({ object: place.object, reason })
  })

  return (segment: StoredSegment) => {
    if (segment.bytes !== null) return Effect.succeed(segment.bytes)
    const place = placeOf(segment)
    return place === undefined
      ? Effect.fail(new ArchiveUnreadable({ object: "no object", reason: "a segment is neither here nor there" }))
      : archived(place)
  }
})
