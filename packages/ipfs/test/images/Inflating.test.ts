import { deflateSync, inflateSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result } from "effect"
import sharp from "sharp"
import { PROFILE_BYTES_MAX } from "../../src/images/CleanImage.ts"
import { hasExcessData } from "../../src/images/PngPictures.ts"
import { stripMetadata } from "../../src/images/StripMetadata.ts"
import { profiledPng } from "./BadSamples.ts"
import { animatedPng } from "./ImageSamples.ts"
import { pngChunk } from "./Planted.ts"

const MIB = 1024 * 1024
/** What a writer may append to the last pixel. */
const EXCESS_BYTES = 64 * 1024

const noise = (length: number) => Buffer.from(Uint8Array.from({ length }, (_, index) => (index * 2_654_435_761) >>> 24))

/** PNGs of every pixel format that libvips writes, with partial passes and rows. */
const pngs = Effect.promise(() =>
  Promise.all(
    [1, 2, 3, 5, 8, 9].flatMap((width) =>
      [1, 4, 7].flatMap((height) => {
        const raw = (channels: 1 | 2 | 3 | 4) =>
          sharp(noise(width * height * channels), { raw: { width, height, channels } })
        const wide = (channels: 1 | 3) =>
          sharp(new Uint16Array(noise(width * height * channels)), { raw: { width, height, channels } })
        return [false, true].flatMap((progressive) => [
          ...([1, 2, 3, 4] as const).map((channels) => raw(channels).png({ progressive }).toBuffer()),
          wide(1).toColourspace("grey16").png({ progressive }).toBuffer(),
          wide(3).toColourspace("rgb16").png({ progressive }).toBuffer(),
          ...[2, 4, 16, 256].map((colours) => raw(3).png({ palette: true, colours, progressive }).toBuffer()),
        ])
      }),
    ),
  ),
)

/** The PNG with so many extra bytes after its pixels. */
const lengthened = (png: Buffer, excessBytes: number): Buffer => {
  const at = png.indexOf("IDAT") - 4
  const pixels = inflateSync(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)))
  const data = deflateSync(Buffer.concat([pixels, Buffer.alloc(excessBytes)]))
  return Buffer.concat([png.subarray(0, at), pngChunk("IDAT", data), pngChunk("IEND", Buffer.alloc(0))])
}

const clean = (png: Buffer) => Result.getOrThrow(stripMetadata("image/png", png)).bytes

const pixelsOf = (png: Uint8Array) => Effect.promise(() => sharp(png).raw().toBuffer())

describe("The inflated size of a PNG", () => {
  it.effect("is that of its pixels, or slightly more, for any pixels", () =>
    Effect.gen(function* () {
      const kinds = new Set<string>()
      for (const png of yield* pngs) {
        // Depth, colour type and interlacing.
        kinds.add(png.subarray(24, 29).join(" "))
        const has = (bytes: Uint8Array) => Effect.promise(() => hasExcessData({ bytes, frames: 1 }))
        assert.isFalse(yield* has(png))
        // The bound for interlaced rows is only near.
        const [least, most] = png[28] === 0 ? [EXCESS_BYTES, EXCESS_BYTES + 1] : [EXCESS_BYTES / 2, EXCESS_BYTES * 2]
        assert.isFalse(yield* has(lengthened(png, least)))
        assert.isTrue(yield* has(lengthened(png, most)), png.subarray(16, 29).join(" "))
      }
      assert.isAtLeast(kinds.size, 16)
    }),
  )

  it.effect("is checked for each frame of an animation", () =>
    Effect.gen(function* () {
      const has = (second: Buffer) => Effect.promise(() => hasExcessData({ bytes: animatedPng({ second }), frames: 2 }))
      // 8 by 6 pixels of three bytes.
      assert.isFalse(yield* has(deflateSync(Buffer.alloc(25 * 6 + EXCESS_BYTES))))
      assert.isTrue(yield* has(deflateSync(Buffer.alloc(25 * 6 + EXCESS_BYTES + 1))))
    }),
  )

  it.effect("does not count text, which is removed without being inflated", () =>
    Effect.gen(function* () {
      const [png] = yield* pngs
      const bomb = deflateSync(Buffer.alloc(64 * MIB))
      const texts = [
        pngChunk("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), bomb])),
        pngChunk("iTXt", Buffer.concat([Buffer.from("Comment\0\x01\0\0\0"), bomb])),
      ]
      const planted = Buffer.concat([
        png!.subarray(0, 33),
        ...texts,
        png!.subarray(33, -12),
        ...texts,
        png!.subarray(-12),
      ])
      assert.isTrue(Buffer.from(clean(planted)).equals(clean(png!)))
    }),
  )

  it.effect("of a colour profile is bounded, and an invalid profile is removed", () =>
    Effect.gen(function* () {
      const [png] = yield* pngs
      const largest = profiledPng(png!, deflateSync(Buffer.alloc(PROFILE_BYTES_MAX)))
      assert.isTrue(Buffer.from(clean(largest)).equals(largest))
      const over = stripMetadata("image/png", profiledPng(png!, deflateSync(Buffer.alloc(PROFILE_BYTES_MAX + 1))))
      assert.isTrue(Result.isFailure(over))
      for (const broken of [Buffer.from("none"), Buffer.alloc(0), deflateSync(noise(1_000)).subarray(0, 100)]) {
        const without = clean(profiledPng(png!, broken))
        assert.isTrue(Buffer.from(without).equals(png!))
        assert.isTrue((yield* pixelsOf(without)).equals(yield* pixelsOf(png!)))
      }
    }),
  )
})
