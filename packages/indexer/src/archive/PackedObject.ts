import { createHash } from "node:crypto"
import { Effect } from "effect"

/** A segment of the log with its bytes. */
export interface PackedSegment {
  readonly logOffset: bigint
  readonly bytes: Uint8Array
}

/** Where a segment is in an object. */
export interface SegmentPlace {
  readonly logOffset: bigint
  readonly start: number
  readonly length: number
  readonly sha256: Uint8Array
}

/** An object of the archive: frames of zstd one after the other, so that `zstd -d` reads it. */
export interface PackedObject {
  /** By the first and last offset and the SHA-256 of what is in it. */
  readonly name: string
  readonly body: Uint8Array<ArrayBuffer>
  readonly sha256: Buffer
  readonly places: ReadonlyArray<SegmentPlace>
}

/** How names of objects begin, so that a bucket can have other things. */
const PREFIX = "inbox/"
/** Hashing blocks the event loop: so much takes about a millisecond. */
const SLICE_BYTES = 1024 * 1024

/** Puts segments, in the order of their offsets, into one object. */
export const packObject = Effect.fnUntraced(function* (segments: ReadonlyArray<PackedSegment>) {
  const body = new Uint8Array(segments.reduce((sum, { bytes }) => sum + bytes.length, 0))
  const whole = createHash("sha256")
  const places: Array<SegmentPlace> = []
  let start = 0
  let hashed = 0
  for (const { bytes, logOffset } of segments) {
    body.set(bytes, start)
    whole.update(bytes)
    places.push({ logOffset, start, length: bytes.length, sha256: createHash("sha256").update(bytes).digest() })
    start += bytes.length
    if (start - hashed < SLICE_BYTES) continue
    hashed = start
    yield* Effect.yieldNow
  }
  const sha256 = whole.digest()
  const [first, last] = [segments[0]!.logOffset, segments.at(-1)!.logOffset]
  const name = `${PREFIX}${first}-${last}-${sha256.toString("hex")}.zst`
  return { name, body, sha256, places } satisfies PackedObject
})
