import { assert, describe, it } from "@effect/vitest"
import { InvalidRequest } from "@launch-registry/domain/http/RequestErrors"
import { Effect } from "effect"
import sharp from "sharp"
import { checkImage } from "../src/images/ImageCheck.ts"
import { makeDecodeTurns } from "../src/images/DecodeTurns.ts"
import { decodeImage, type DecodedImage } from "../src/images/ImageDecoder.ts"

const still = sharp({ create: { width: 16, height: 12, channels: 3, background: "#fc0" } })
const png = await still.png().toBuffer()
// Created before the decoder disables all loaders but four.
const tiff = await still.tiff().toBuffer()
const FOUND: DecodedImage = { format: "png", width: 16, height: 12, frames: 1 }

const checked = (found: DecodedImage) =>
  Effect.flatMap(makeDecodeTurns, (turns) => checkImage(png, { caller: "a", turns }, () => Promise.resolve(found)))

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"><rect width="4" height="4"/></svg>'

describe("The check of an image", () => {
  it.effect("accepts what the decoder confirms", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* checked(FOUND)).contentType, "image/png")
      assert.deepStrictEqual(yield* Effect.promise(() => decodeImage({ bytes: png, frames: 1 }, "image/png")), FOUND)
    }),
  )

  it.effect("refuses an image whose format is not that of its first bytes", () =>
    Effect.gen(function* () {
      const failure = yield* Effect.flip(checked({ ...FOUND, format: "svg" }))
      assert.match(
        failure instanceof InvalidRequest ? failure.issues[0]!.message : failure._tag,
        /not what it starts as/,
      )
    }),
  )

  it.effect("refuses an image that is larger than its headers say", () =>
    Effect.gen(function* () {
      const faults: ReadonlyArray<readonly [Partial<DecodedImage>, RegExp]> = [
        [{ width: 8_193 }, /8193 by 12/],
        [{ height: 0 }, /no size/],
        [{ frames: 4_097 }, /4097 frames/],
        [{ width: 8_000, height: 5_001 }, /40000000 pixels/],
      ]
      for (const [found, reason] of faults) {
        const failure = yield* Effect.flip(checked({ ...FOUND, ...found }))
        assert.match(failure instanceof InvalidRequest ? failure.issues[0]!.message : failure._tag, reason)
      }
    }),
  )

  it.effect("has a decoder for four formats and no other", () =>
    Effect.gen(function* () {
      for (const bytes of [Buffer.from(SVG), tiff]) {
        const decoding = Effect.tryPromise(() => decodeImage({ bytes, frames: 1 }, "image/png"))
        assert.strictEqual((yield* Effect.result(decoding))._tag, "Failure")
      }
    }),
  )
})
