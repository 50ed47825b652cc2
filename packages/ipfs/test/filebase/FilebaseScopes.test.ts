import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { buildDag } from "../../src/Dag.ts"
import { backendAt } from "./BackendAt.ts"
import { type Fault, filebaseStandIn } from "./FilebaseStandIn.ts"
import { noise } from "../Noise.ts"

const dag = buildDag(noise(5_000))
const status = (status: number, code?: string): Fault => ({ is: "status", status, ...(code !== undefined && { code }) })

const OF_UPLOAD: ReadonlyArray<Fault> = [
  status(451),
  status(400, "InvalidArgument"),
  status(403),
  status(403, "QuotaExceeded"),
  status(409, "OperationAborted"),
  status(413, "EntityTooLarge"),
  status(422),
  { is: "cid", of: () => "bafkreigks6arfsq3xxfpvqrrwonchxcnu6do76auprhhfomao6c273sixm" },
  { is: "cid", of: () => "nonsense" },
  { is: "body", of: (body) => body.subarray(1) },
]

const OF_BACKEND: ReadonlyArray<Fault> = [
  status(401),
  status(403, "AccessDenied"),
  status(403, "SignatureDoesNotMatch"),
  status(403, "RequestTimeTooSkewed"),
  status(404, "NoSuchBucket"),
  status(408),
  status(429),
  status(400, "SlowDown"),
  status(500, "InternalError"),
  status(503),
  { is: "reset" },
  { is: "html", status: 200 },
]

describe("The scope of a Filebase failure", () => {
  for (const [scope, faults] of Object.entries({ upload: OF_UPLOAD, backend: OF_BACKEND }))
    for (const fault of faults)
      it.live(`is ${scope}: ${JSON.stringify(fault)}`, () =>
        Effect.gen(function* () {
          const standIn = yield* filebaseStandIn
          standIn.tell(fault)
          const error = yield* Effect.flip(backendAt(standIn).put(dag, { contentType: "image/png" }))
          assert.strictEqual(error.scope, scope, error.reason)
        }),
      )

  it("of the whole backend covers one destination: bucket, prefix and endpoint, with any key", () => {
    const at = (options: Parameters<typeof backendAt>[1], url = "http://localhost:9") => backendAt({ url }, options)
    const { destination } = at({})
    assert.strictEqual(at({ endpoint: "http://localhost:9/" }).destination, destination)
    const others = [at({ bucket: "other" }), at({ prefix: "a/" }), at({}, "http://localhost:8")]
    assert.lengthOf(new Set([destination, ...others.map((backend) => backend.destination)]), 4)
    assert.match(destination, /^[0-9a-f]{16}$/)
  })
})
