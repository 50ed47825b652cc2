import { createHash } from "node:crypto"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { noise } from "../../../s3/test/Noise.ts"
import { BUCKET, KEY, s3rver } from "../../../s3/test/S3rver.ts"
import { type ArchiveOptions, logArchive } from "../../src/archive/LogArchive.ts"

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

describe("An archive at an independent S3 server", () => {
  const archiveOf = (url: string, options: Partial<ArchiveOptions> = {}) =>
    logArchive({
      ...{ endpoint: url, bucket: BUCKET, region: "us-east-1", retries: 0 },
      ...{ key: Redacted.make(KEY), secret: Redacted.make(KEY) },
      ...options,
    })

  it.live("takes an object, gives it back whole and in parts, and says what is not there", () =>
    Effect.gen(function* () {
      const { kept, url } = yield* s3rver
      const archive = archiveOf(url)
      const body = new Uint8Array(noise(3_000_000))
      yield* archive.put("inbox/1-2-x.zst", body, sha256(body))
      assert.isTrue((yield* kept).bodies[0]!.equals(body))
      assert.deepStrictEqual(yield* archive.readBack("inbox/1-2-x.zst", body.length), {
        bytes: body.length,
        sha256: sha256(body),
      })
      assert.strictEqual(yield* archive.sizeOf("inbox/1-2-x.zst"), body.length)
      for (const [start, length] of [
        [0, 2],
        [0, body.length],
        [1_234_567, 100_000],
        [body.length - 1, 1],
      ] as const)
        assert.isTrue(
          (yield* archive.range("inbox/1-2-x.zst", start, length)).equals(body.subarray(start, start + length)),
        )
      assert.isUndefined(yield* archive.sizeOf("inbox/nothing"))
      assert.isUndefined(yield* archive.readBack("inbox/nothing", 1))
      const absent = yield* Effect.flip(archive.range("inbox/nothing", 0, 1))
      assert.deepInclude(absent, { isPermanent: true, reason: "S3 has no such object, or no such bucket" })
    }),
  )

  it.live("refuses a wrong key, a wrong bucket and a range beyond the end", () =>
    Effect.gen(function* () {
      const { url } = yield* s3rver
      const body = new Uint8Array(noise(1_000))
      const reasonOf = (options: Partial<ArchiveOptions>) =>
        Effect.map(Effect.flip(archiveOf(url, options).put("inbox/x", body, sha256(body))), ({ reason }) => reason)
      assert.strictEqual(
        yield* reasonOf({ secret: Redacted.make("another") }),
        "S3 refuses the key: SignatureDoesNotMatch",
      )
      assert.strictEqual(yield* reasonOf({ bucket: "nowhere" }), "S3 has no such bucket: NoSuchBucket")
      const archive = archiveOf(url)
      const readBack = yield* Effect.flip(archiveOf(url, { bucket: "nowhere" }).readBack("inbox/x", 1))
      assert.strictEqual(readBack.reason, "S3 has no such bucket")
      yield* archive.put("inbox/x", body, sha256(body))
      assert.isFalse((yield* Effect.flip(archive.range("inbox/x", 999, 2))).isPermanent)
      assert.include((yield* Effect.flip(archive.range("inbox/x", 1_000, 2))).reason, "S3 refuses the request")
    }),
  )
})
