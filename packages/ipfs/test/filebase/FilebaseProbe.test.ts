import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { buildDag } from "../../src/Dag.ts"
import type { FilebaseOptions } from "../../src/filebase/FilebaseBackend.ts"
import { backendAt } from "./BackendAt.ts"
import { BUCKET, filebaseStandIn } from "./FilebaseStandIn.ts"
import { noise } from "../Noise.ts"

const PNG = { contentType: "image/png" }
const dag = buildDag(noise(100))

describe("The probe of Filebase", () => {
  it.live("is a signed request for the bucket", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      yield* backendAt(standIn).probe
      assert.deepStrictEqual(
        standIn.requests.map(({ method, path }) => `${method} ${path}`),
        [`HEAD /${BUCKET}`],
      )
    }),
  )

  it.live("reports what is wrong with the settings", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      const failure = (options: Partial<FilebaseOptions>) => Effect.flip(backendAt(standIn, options).probe)
      const secret = yield* failure({ secret: Redacted.make("wrong") })
      assert.deepInclude(secret, { isPermanent: true, reason: "Filebase refuses the key: status 403" })
      const bucket = yield* failure({ bucket: "not-there" })
      assert.deepInclude(bucket, { isPermanent: true, reason: "Filebase has no such bucket: status 404" })
    }),
  )

  it.live("fails for now during an outage, behind an HTML page, and at its deadline", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      standIn.tell({ is: "status", status: 503, retryAfter: "3" }, ["HEAD"], 1)
      standIn.tell({ is: "html", status: 200 }, ["HEAD"], 1)
      standIn.tell({ is: "hang" }, ["HEAD"], 1)
      const { probe } = backendAt(standIn)
      const trouble = yield* Effect.flip(probe)
      assert.deepInclude(trouble, { isPermanent: false, retryAfterMillis: 3_000 })
      const page = yield* Effect.flip(probe)
      assert.deepInclude(page, { isPermanent: false, reason: "Not S3 but a page answers at the endpoint of Filebase" })
      const leaving = standIn.nextLeaving()
      const late = yield* Effect.flip(backendAt(standIn, { probeMillis: 500 }).probe)
      assert.deepInclude(late, {
        isPermanent: false,
        reason: "Filebase did not answer the question for the bucket in time",
      })
      yield* Effect.promise(() => leaving)
      yield* probe
    }),
  )
})

describe("Unusable Filebase settings", () => {
  const rows: ReadonlyArray<readonly [what: string, options: Partial<FilebaseOptions>, reason: string]> = [
    ["an endpoint that is no URL", { endpoint: "s3.filebase.com" }, "must be an http or https URL"],
    ["an endpoint with another protocol", { endpoint: "ftp://127.0.0.1" }, "must be an http or https URL"],
    ["an endpoint with credentials", { endpoint: "http://CANARY:x@127.0.0.1" }, "without credentials"],
    ["an endpoint with a query", { endpoint: "http://127.0.0.1/?key=CANARY" }, "must be an http or https URL"],
    ["a bucket that is a dot", { bucket: ".." }, "cannot be written in a URL"],
    ["a key with a line break", { key: Redacted.make("CANARY\nx") }, "cannot be sent in a header"],
  ]
  for (const [what, options, reason] of rows) {
    it.live(`fail for good, without a request and without being quoted: ${what}`, () =>
      Effect.gen(function* () {
        const standIn = yield* filebaseStandIn
        const backend = backendAt(standIn, options)
        for (const attempt of [backend.put(dag, PNG), backend.probe]) {
          const error = yield* Effect.flip(attempt)
          assert.isTrue(error.isPermanent)
          assert.include(error.reason, reason)
          assert.notInclude(JSON.stringify(error), "CANARY")
        }
        assert.strictEqual(standIn.requests.length, 0)
      }),
    )
  }

  it.live("with .. in the prefix fail for good", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      const error = yield* Effect.flip(backendAt(standIn, { prefix: "../other-bucket/" }).put(dag, PNG))
      assert.deepInclude(error, {
        isPermanent: true,
        reason: "The bucket or the prefix of Filebase cannot be written in a URL",
      })
      assert.strictEqual(standIn.requests.length, 0)
    }),
  )
})
