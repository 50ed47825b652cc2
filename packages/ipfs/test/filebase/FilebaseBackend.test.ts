import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { base36 } from "multiformats/bases/base36"
import { CID } from "multiformats/cid"
import * as raw from "multiformats/codecs/raw"
import { examples } from "../../../../scripts/Laws.ts"
import { buildDag } from "../../src/Dag.ts"
import { carFile } from "../../src/CarFile.ts"
import { backendAt } from "./BackendAt.ts"
import { BUCKET, type FilebaseStandIn, filebaseStandIn } from "./FilebaseStandIn.ts"
import { noise } from "../Noise.ts"

const MIB = 1_048_576
const PNG = { contentType: "image/png" }

const methodsOf = ({ requests }: FilebaseStandIn) => requests.map(({ method }) => method).join(" ")

const bytes = noise(2 * MIB + 3)
const file = buildDag(bytes)
const other = buildDag(noise(77)).root

const hasCid = Effect.fnUntraced(function* (size: number) {
  const standIn = yield* filebaseStandIn
  const dag = buildDag(noise(size))
  for (const gives of ["file", "car"] as const) {
    standIn.gives = gives
    yield* backendAt(standIn).put(dag, PNG)
  }
  const kept = standIn.objects.get(`${dag.root.toString()}.car`)
  assert.strictEqual(kept?.cid.toString(), dag.root.toString())
  assert.isTrue(kept?.file.equals(noise(size)))
})

describe("Content uploaded to Filebase", () => {
  for (const size of [0, 1, MIB - 1, MIB, MIB + 1, 15 * MIB]) {
    it.live(`of ${size} bytes has the same CID there as here, and reads back`, () => hasCid(size))
  }

  const Size = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 * MIB }))
  it.live.prop("has the same CID there as here, at any size", { Size }, ({ Size }) => hasCid(Size), {
    arbitrary: { runs: examples(6, 60) },
  })

  it.live("is sent as a CAR import, in an object named by its root under the prefix, and read back", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      yield* backendAt(standIn, { prefix: "launch pad/ünï+(1)*'!/" }).put(file, PNG)
      assert.strictEqual(methodsOf(standIn), "PUT GET")
      const [name] = standIn.objects.keys()
      assert.strictEqual(name, `launch pad/ünï+(1)*'!/${file.root.toString()}.car`)
      const [{ bodyBytes, headers, path }] = standIn.requests as [FilebaseStandIn["requests"][0]]
      assert.strictEqual(headers["x-amz-meta-import"], "car")
      assert.strictEqual(bodyBytes, carFile(file).length)
      assert.isTrue(path.startsWith(`/${BUCKET}/launch%20pad/%C3%BCn%C3%AF%2B%281%29%2A%27%21/`))
    }),
  )

  it.live("is the same object when it is uploaded again", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      const { put } = backendAt(standIn)
      yield* put(file, PNG)
      yield* put(file, { contentType: "application/json" })
      assert.deepStrictEqual([...standIn.objects.keys()], [`${file.root.toString()}.car`])
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
      assert.strictEqual(methodsOf(standIn), "PUT HEAD HEAD HEAD GET")
    }),
  )

  it.live("is accepted in another base and version", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      standIn.tell({ is: "cid", of: (root) => root.toString(base36 as never) }, ["PUT"], 1)
      standIn.tell({ is: "cid", of: (root) => CID.createV0(root.multihash as never).toString() }, ["PUT"], 1)
      yield* backendAt(standIn).put(file, PNG)
      yield* backendAt(standIn).put(file, PNG)
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
      assert.notInclude(methodsOf(standIn), "GET")
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

describe("Content that reads back from Filebase", () => {
  const turned = (at: number) => (body: Buffer) => {
    const copy = Buffer.from(body)
    copy[at < 0 ? copy.length + at : at]! ^= 1
    return copy
  }
  const wrongs: Readonly<Record<string, (body: Buffer) => Buffer>> = {
    "with a wrong first byte": turned(0),
    "with a wrong last byte": turned(-1),
    "with a wrong byte in between": turned(MIB + 17),
    "without its last byte": (body) => body.subarray(0, -1),
    "with a byte too many": (body) => Buffer.concat([body, Buffer.alloc(1)]),
    "with nothing": () => Buffer.alloc(0),
  }
  for (const gives of ["file", "car"] as const) {
    for (const [what, of] of Object.entries(wrongs)) {
      it.live(`as a ${gives} ${what} is a transient failure`, () =>
        Effect.gen(function* () {
          const standIn = yield* filebaseStandIn
          standIn.gives = gives
          standIn.tell({ is: "body", of })
          const error = yield* Effect.flip(backendAt(standIn).put(file, PNG))
          assert.deepInclude(error, {
            isPermanent: false,
            reason: "What reads back from Filebase is not what it was sent",
          })
        }),
      )
    }
  }

  it.live("may take a moment to appear", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      standIn.tell({ is: "status", status: 404, code: "NoSuchKey" }, ["GET"], 2)
      yield* backendAt(standIn).put(file, PNG)
      assert.strictEqual(methodsOf(standIn), "PUT GET GET GET")
      standIn.tell({ is: "status", status: 404, code: "NoSuchKey" }, ["GET"])
      const error = yield* Effect.flip(backendAt(standIn).put(file, PNG))
      assert.deepInclude(error, {
        isPermanent: false,
        reason: "Filebase confirmed the object, but does not find it",
      })
    }),
  )
})
