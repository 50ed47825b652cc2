import { mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { buildDag } from "../../src/Dag.ts"
import { carFile } from "../../src/CarFile.ts"
import { filebaseBackend, type FilebaseOptions } from "../../src/filebase/FilebaseBackend.ts"
import { noise } from "../../../s3/test/Noise.ts"

interface Server {
  readonly run: () => Promise<{ readonly port: number }>
  readonly close: () => Promise<void>
  readonly httpServer: { readonly closeAllConnections: () => void }
}

const S3rver: new (options: Readonly<Record<string, unknown>>) => Server =
  // It has no types.
  createRequire(import.meta.url)("@20minutes/s3rver")

/** Its only pair of keys. */
const KEY = "S3RVER"
const BUCKET = "launchpad"
const PNG = { contentType: "image/png" }

/** An independent S3 server that checks signatures and knows nothing of IPFS; and its objects. */
const s3rver = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.promise(() => mkdtemp(join(tmpdir(), "s3rver-"))),
    (directory) => Effect.promise(() => rm(directory, { recursive: true })),
  )
  const server = new S3rver({
    address: "127.0.0.1",
    port: 0,
    silent: true,
    directory,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  })
  const { port } = yield* Effect.acquireRelease(
    Effect.promise(() => server.run()),
    () =>
      Effect.promise(() => {
        const closed = server.close()
        server.httpServer.closeAllConnections()
        return closed
      }),
  )
  const kept = Effect.promise(async () => {
    const entries = await readdir(join(directory, BUCKET), { recursive: true, withFileTypes: true })
    const files = entries.filter((entry) => entry.isFile()).map(({ name, parentPath }) => join(parentPath, name))
    const bodies = await Promise.all(files.filter((file) => file.endsWith("_object")).map((file) => readFile(file)))
    return { names: files.map((file) => file.slice(join(directory, BUCKET).length + 1)), bodies }
  })
  const backend = (options: Partial<FilebaseOptions> = {}) =>
    filebaseBackend({
      endpoint: `http://127.0.0.1:${port}`,
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
