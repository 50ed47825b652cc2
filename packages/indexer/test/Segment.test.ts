import { createZstdCompress } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { SeededRandom } from "../fixtures/SeededRandom.ts"
import { decodeSegment, encodeSegment } from "../src/inbox/Segment.ts"

const random = new SeededRandom(21)
/** Every kind of frame header, by content size. */
const LENGTHS = [0, 1, 200, 250, 251, 252, 255, 256, 300, 65_780, 65_790, 65_800, 100_000, 3_000_000]

const bodyOf = (length: number): Buffer => {
  const body = Buffer.alloc(length, "a transaction of the program ")
  for (let at = 0; at < length; at += 97) body[at] = random.between(0, 255)
  return body
}

const copiesOf = (bodies: ReadonlyArray<Uint8Array>) => bodies.map((body) => Buffer.from(body))

describe("Segments of the log", () => {
  it.effect("return the bodies they were made of, whatever their sizes and however many are encoded concurrently", () =>
    Effect.gen(function* () {
      const contents = [...LENGTHS.map((length) => [bodyOf(length)]), [], LENGTHS.map(bodyOf), LENGTHS.map(bodyOf)]
      const readBack = (bodies: ReadonlyArray<Uint8Array>) =>
        Effect.flatMap(encodeSegment(bodies), (segment) => Effect.promise(() => decodeSegment(segment)))
      const read = yield* Effect.forEach(contents, readBack, { concurrency: 4 })
      for (const [index, bodies] of read.entries()) assert.deepStrictEqual(copiesOf(bodies), contents[index])
    }),
  )

  it.live("stay intact while others are encoded, also when their buffers are reused", () =>
    Effect.gen(function* () {
      // Incompressible content fills it fastest.
      const noise = Buffer.from(Array.from({ length: 5_000_000 }, () => random.between(0, 255)))
      const encoded = Effect.gen(function* () {
        const segment = yield* encodeSegment([noise])
        const copy = Buffer.from(segment)
        yield* Effect.sleep("5 millis")
        assert.isTrue(copy.equals(segment))
        assert.deepStrictEqual(copiesOf(yield* Effect.promise(() => decodeSegment(segment))), [noise])
      })
      yield* Effect.forEach(Array.from({ length: 20 }), () => encoded, { concurrency: 3 })
    }),
  )

  it.effect("are decoded also when a frame lacks its content size", () =>
    Effect.gen(function* () {
      const body = bodyOf(5_000_000)
      const length = Buffer.alloc(4)
      length.writeUInt32LE(body.length)
      const stream = createZstdCompress()
      stream.write(length)
      stream.end(body)
      const frame = Buffer.concat(yield* Effect.promise(() => stream.toArray()))
      assert.deepStrictEqual(copiesOf(yield* Effect.promise(() => decodeSegment(frame))), [body])
    }),
  )
})
