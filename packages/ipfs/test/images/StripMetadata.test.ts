import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import sharp from "sharp"
import { examples } from "../../../../scripts/Laws.ts"
import { orientationOf } from "../../src/images/ExifOrientation.ts"
import { stripMetadata } from "../../src/images/StripMetadata.ts"
import { gifOfBlocks, jpegOfSegments, pngOfChunks } from "./HeavySamples.ts"
import { type ImageSample, imageSamples } from "./ImageSamples.ts"
import { SECRET } from "./Planted.ts"

const samples = await imageSamples()

const cleaned = ({ bytes, type, what }: ImageSample) =>
  Result.getOrElse(stripMetadata(type, bytes), ({ message }) => assert.fail(`${what}: ${message}`))

const decoded = (bytes: Uint8Array) =>
  Effect.promise(async () => {
    const image = sharp(bytes, { animated: true, failOn: "error" })
    const { data, info } = await image.clone().raw().toBuffer({ resolveWithObject: true })
    return { data, info, metadata: await image.metadata() }
  })

const indexIn = (length: number) => Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: length - 1 }))
const Byte = indexIn(256)
/** A sample, and bytes to replace, at positions in millionths. */
const Mutation = Schema.Tuple([indexIn(samples.length), Schema.Array(Schema.Tuple([indexIn(1_000_000), Byte]))])

const mutated = (bytes: Buffer, changes: ReadonlyArray<readonly [position: number, value: number]>) => {
  const changed = Buffer.from(bytes)
  for (const [position, value] of changes) changed[Math.floor((position / 1_000_000) * bytes.length)] = value
  return changed
}

describe("An image without metadata", () => {
  for (const sample of samples) {
    it.effect(`has the same pixels as before: ${sample.what}`, () =>
      Effect.gen(function* () {
        const clean = cleaned(sample)
        const before = yield* decoded(sample.bytes)
        const after = yield* decoded(clean.bytes)
        assert.isTrue(after.data.equals(before.data))
        assert.deepStrictEqual(after.info, before.info)
        for (const fact of ["width", "height", "pages", "pageHeight", "loop", "delay", "space", "hasAlpha"] as const)
          assert.deepStrictEqual(after.metadata[fact], before.metadata[fact], fact)
        assert.deepStrictEqual(after.metadata.icc, before.metadata.icc)
        assert.strictEqual(clean.widthPixels, before.metadata.width)
        assert.strictEqual(clean.heightPixels, before.metadata.pageHeight ?? before.metadata.height)
        assert.strictEqual(clean.frames, sample.what.startsWith("animated png") ? 2 : (before.metadata.pages ?? 1))
      }),
    )

    it.effect(`has no place, time or author: ${sample.what}`, () =>
      Effect.gen(function* () {
        const { bytes } = cleaned(sample)
        for (const word of [SECRET, "GPS", "xmp", "Photoshop", "MPF"])
          assert.isFalse(Buffer.from(bytes).includes(word), word)
        const { metadata } = yield* decoded(bytes)
        for (const part of ["xmp", "iptc", "comments", "tifftagPhotoshop"] as const) assert.isUndefined(metadata[part])
        assert.strictEqual(metadata.orientation ?? 1, sample.orientation)
        // The header of an extended WebP does not declare removed chunks.
        if (sample.type === "image/webp" && Buffer.from(bytes).includes("VP8X"))
          assert.strictEqual(bytes[20]! & 0x0c, sample.orientation === 1 ? 0 : 0x08)
        if (sample.orientation === 1) assert.isUndefined(metadata.exif)
        else {
          assert.isAtMost(metadata.exif!.length, 32)
          assert.strictEqual(orientationOf(metadata.exif!), sample.orientation)
        }
      }),
    )
  }

  it("is never longer, and stays the same when it is cleaned again", () => {
    for (const sample of samples) {
      const { bytes } = cleaned(sample)
      assert.isAtMost(bytes.length, sample.bytes.length)
      assert.isTrue(Buffer.from(cleaned({ ...sample, bytes: Buffer.from(bytes) }).bytes).equals(bytes), sample.what)
    }
  })

  it("is checked with secrets planted in every sample, so that these tests can fail", () => {
    const planted = samples.filter(({ what }) => what.startsWith("planted"))
    assert.strictEqual(new Set(planted.map(({ type }) => type)).size, 4)
    for (const { bytes } of planted) assert.isAtLeast(bytes.toString("latin1").split(SECRET).length, 5)
  })

  it.prop(
    "is clean, or refused with a reason, for any bytes",
    [Mutation],
    ([[index, changes]]) => {
      const sample = samples[index]!
      const bytes = mutated(sample.bytes, changes)
      const first = stripMetadata(sample.type, bytes)
      if (Result.isFailure(first)) return assert.match(first.failure.issues[0]!.message, /^\w/)
      assert.isAtMost(first.success.bytes.length, bytes.length)
      const again = stripMetadata(sample.type, first.success.bytes)
      if (Result.isFailure(again))
        return assert.fail(`${sample.what}: clean, and then ${again.failure.issues[0]!.message}`)
      assert.isTrue(Buffer.from(again.success.bytes).equals(first.success.bytes), sample.what)
    },
    { arbitrary: { runs: examples(200, 10_000) } },
  )

  it.effect("may have many parts, up to a bound far above what writers produce", () =>
    Effect.gen(function* () {
      const still = sharp({ create: { width: 8, height: 8, channels: 3, background: "#fc0" } })
      const [png, jpeg, gif] = yield* Effect.promise(() =>
        Promise.all([still.png().toBuffer(), still.jpeg().toBuffer(), still.gif().toBuffer()]),
      )
      assert.isTrue(Result.isSuccess(stripMetadata("image/png", pngOfChunks(png, 90_000))))
      assert.isTrue(Result.isSuccess(stripMetadata("image/jpeg", jpegOfSegments(jpeg, 9_000))))
      assert.isTrue(Result.isSuccess(stripMetadata("image/gif", gifOfBlocks(gif, 19_000))))
    }),
  )

  it("is refused when it is truncated at any position", () => {
    for (const sample of samples) {
      const { bytes } = cleaned(sample)
      for (let length = 0; length < bytes.length; length++) {
        // Views are part of a larger buffer: nothing may be read beyond their end.
        assert.isTrue(
          Result.isFailure(stripMetadata(sample.type, bytes.subarray(0, length))),
          `${sample.what} ${length}`,
        )
      }
    }
  })
})
