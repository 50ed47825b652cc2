import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { noise } from "../Noise.ts"
import { BUCKET, KEY, s3rver as server } from "./S3rver.ts"
import { carFile } from "../../src/content/CarFile.ts"
import { buildDag } from "../../src/content/Dag.ts"
import { filebaseBackend, type FilebaseOptions } from "../../src/filebase/FilebaseBackend.ts"

const PNG = { contentType: "image/png" }

/** It knows nothing of IPFS. */
const s3rver = Effect.map(server, ({ kept, url }) => {
  const backend = (options: Partial<FilebaseOptions> = {}) =>
    filebaseBackend({
      endpoint: url,
      bucket: BUCKET,
      key: Redacted.make(KEY),
      secret: Redacted.make(KEY),
      waitsMillis: [1],
      ...options,
    })
  return { backend, kept }
})

describe("An S3 server that checks signatures", () => {
  for (const prefix of ["", "uploads/", "with space/", "ünïcødé/発射/", "a+b&c=d;e@f,g$h/", "(it's)*!/~.-_/"]) {
    it.live(`accepts uploads under ${JSON.stringify(prefix)} and returns them, without a CID`, () =>
      Effect.gen(function* () {
        const { backend, kept } = yield* s3rver
        const dag = buildDag(noise(100_000))
        const error = yield* Effect.flip(backend({ prefix }).put(dag, PNG))
        assert.deepInclude(error, {
          isPermanent: false,
          reason: "Filebase kept the object, but names no CID for it",
        })
        const { bodies, names } = yield* kept
        assert.isTrue(bodies.length === 1 && bodies[0]!.equals(carFile(dag)))
        const parts = `${prefix}${dag.root.toString()}.car`
        assert.isTrue(
          names.some((name) => decodeURIComponent(name).startsWith(parts)),
          names.join(" "),
        )
      }),
    )
  }

  it.live("accepts uploads of every size", () =>
    Effect.gen(function* () {
      const { backend, kept } = yield* s3rver
      const dags = [0, 1, 1_048_577, 15_728_640].map((size) => buildDag(noise(size)))
      for (const dag of dags) {
        const { reason } = yield* Effect.flip(backend().put(dag, PNG))
        assert.strictEqual(reason, "Filebase kept the object, but names no CID for it")
      }
      const { bodies } = yield* kept
      assert.sameMembers(
        bodies.map((body) => body.length),
        dags.map((dag) => carFile(dag).length),
      )
    }),
  )

  it.live("answers the probe, and reports a missing bucket", () =>
    Effect.gen(function* () {
      const { backend } = yield* s3rver
      yield* backend().probe
      const error = yield* Effect.flip(backend({ bucket: "nowhere" }).probe)
      assert.deepInclude(error, { isPermanent: true, reason: "Filebase has no such bucket: status 404" })
      const put = yield* Effect.flip(backend({ bucket: "nowhere" }).put(buildDag(noise(5)), PNG))
      assert.deepInclude(put, { isPermanent: true, reason: "Filebase has no such bucket: NoSuchBucket" })
    }),
  )

  it.live("refuses a wrong secret and an unknown key, and stores nothing", () =>
    Effect.gen(function* () {
      const { backend, kept } = yield* s3rver
      const dag = buildDag(noise(100_000))
      const secret = backend({ secret: Redacted.make("another") })
      const key = backend({ key: Redacted.make("NOBODY") })
      const reasonOf = (attempt: typeof key.probe) => Effect.map(Effect.flip(attempt), ({ reason }) => reason)
      assert.strictEqual(yield* reasonOf(secret.put(dag, PNG)), "Filebase refuses the key: SignatureDoesNotMatch")
      assert.strictEqual(yield* reasonOf(key.put(dag, PNG)), "Filebase refuses the key: InvalidAccessKeyId")
      assert.strictEqual(yield* reasonOf(secret.probe), "Filebase refuses the key: status 403")
      assert.deepStrictEqual((yield* kept).bodies, [])
    }),
  )
})
