import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SeededRandom } from "../fixtures/SeededRandom.ts"
import { decodeSegment, encodeSegment } from "../src/inbox/Segment.ts"

const random = new SeededRandom(21)
/** Each on one side of a size at which the frame of zstd, or how it is read and written, is another. */
const LENGTHS = [0, 1, 250, 251, 252, 256, 65_780, 65_800, 3_000_000]

const bodyOf = (length: number): Buffer => {
  const body = Buffer.alloc(length, "a transaction of the program ")
  for (let at = 0; at < length; at += 97) body[at] = random.between(0, 255)
  return body
}

describe("Segments of the log", () => {
  it.effect("return the bodies they were made of, whatever their sizes and however many are encoded concurrently", () =>
    Effect.gen(function* () {
      // What does not compress takes most room.
      const noise = Buffer.from(Array.from({ length: 5_000_000 }, () => random.between(0, 255)))
      const contents = [...LENGTHS.map((length) => [bodyOf(length)]), [], LENGTHS.map(bodyOf), [noise], [noise, noise]]
      const segments = yield* Effect.forEach(contents, encodeSegment, { concurrency: 4 })
      for (const [index, segment] of segments.entries()) {
        const bodies = yield* Effect.promise(() => decodeSegment(segment))
        assert.isTrue(bodies.length === contents[index]!.length)
        for (const [at, body] of bodies.entries()) assert.isTrue(contents[index]![at]!.equals(body))
      }
    }),
  )
})
