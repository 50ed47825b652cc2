import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { CID } from "multiformats/cid"
import * as raw from "multiformats/codecs/raw"
import { buildDag } from "../../src/content/Dag.ts"
import { carFile } from "../../src/content/CarFile.ts"
import type { FilebaseOptions } from "../../src/filebase/FilebaseBackend.ts"
import { backendAt } from "./BackendAt.ts"
import { BUCKET, type FilebaseStandIn, filebaseStandIn } from "./FilebaseStandIn.ts"
import { noise } from "../Noise.ts"

const MIB = 1_048_576
const PNG = { contentType: "image/png" }

const methodsOf = ({ requests }: FilebaseStandIn) => requests.map(({ method }) => method).join(" ")

const bytes = noise(2 * MIB + 3)
const file = buildDag(bytes)
const other = buildDag(noise(77)).root

describe("Content uploaded to Filebase", () => {
  it.live("is sent as a CAR import, in an object named by its root under the prefix", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      yield* backendAt(standIn, { prefix: "launch pad/ünï+(1)*'!/" }).put(file, PNG)
      assert.strictEqual(methodsOf(standIn), "PUT")
      const [name] = standIn.objects.keys()
      assert.strictEqual(name, `launch pad/ünï+(1)*'!/${file.root.toString()}.car`)
      const [{ bodyBytes, headers, path }] = standIn.requests as [FilebaseStandIn["requests"][0]]
      assert.strictEqual(headers["x-amz-meta-import"], "car")
      assert.strictEqual(bodyBytes, carFile(file).length)
      assert.isTrue(path.startsWith(`/${BUCKET}/launch%20pad/%C3%BCn%C3%AF%2B%281%29%2A%27%21/`))
    }),
  )
})

describe("The CID that Filebase returns", () => {
  it.live("is polled by HEAD when the answer has none, until it is there", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      standIn.tell({ is: "cid", of: () => undefined }, ["PUT"])
      standIn.tell({ is: "cid", of: () => undefined }, ["HEAD"], 1)
      standIn.tell({ is: "status", status: 404 }, ["HEAD"], 1)
      yield* backendAt(standIn).put(file, PNG)
      assert.strictEqual(methodsOf(standIn), "PUT HEAD HEAD HEAD")
    }),
  )

  it.live("fails the attempt for good when it differs, naming both", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      for (const on of ["PUT", "HEAD"] as const) {
        for (const cid of [other, CID.createV1(raw.code, file.root.multihash)]) {
          standIn.forgive()
          standIn.tell({ is: "cid", of: () => cid.toString() }, [on])
          standIn.tell({ is: "cid", of: () => undefined }, ["PUT"])
          const { isPermanent, reason } = yield* Effect.flip(backendAt(standIn).put(file, PNG))
          assert.isTrue(isPermanent)
          assert.include(reason, cid.toString())
          assert.include(reason, file.root.toString())
        }
      }
    }),
  )

  it.live("fails the attempt for good when it is malformed", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      standIn.tell({ is: "cid", of: () => "pending" })
      const error = yield* Effect.flip(backendAt(standIn).put(file, PNG))
      assert.deepInclude(error, { isPermanent: true, reason: "Filebase names something for the object that is no CID" })
    }),
  )

  it.live("fails the attempt for now when it is missing", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      standIn.tell({ is: "cid", of: () => undefined })
      const error = yield* Effect.flip(backendAt(standIn).put(file, PNG))
      assert.deepInclude(error, { isPermanent: false, reason: "Filebase kept the object, but names no CID for it" })
      assert.strictEqual(methodsOf(standIn), "PUT HEAD HEAD HEAD")
    }),
  )
})

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
        for (const attempt of [backend.put(file, PNG), backend.probe]) {
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
      const error = yield* Effect.flip(backendAt(standIn, { prefix: "../other-bucket/" }).put(file, PNG))
      assert.deepInclude(error, {
        isPermanent: true,
        reason: "The bucket or the prefix of Filebase cannot be written in a URL",
      })
      assert.strictEqual(standIn.requests.length, 0)
    }),
  )
})

it("The destination of Filebase is its bucket, prefix and endpoint, with any key", () => {
  const at = (options: Parameters<typeof backendAt>[1], url = "http://localhost:9") => backendAt({ url }, options)
  const { destination } = at({})
  assert.strictEqual(at({ endpoint: "http://localhost:9/" }).destination, destination)
  const others = [at({ bucket: "other" }), at({ prefix: "a/" }), at({}, "http://localhost:8")]
  assert.lengthOf(new Set([destination, ...others.map((backend) => backend.destination)]), 4)
  assert.match(destination, /^[0-9a-f]{16}$/)
})
