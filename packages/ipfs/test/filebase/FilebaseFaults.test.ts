import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { buildDag } from "../../src/content/Dag.ts"
import { backendAt } from "./BackendAt.ts"
import { CREDENTIALS, type Fault, filebaseStandIn } from "./FilebaseStandIn.ts"
import { noise } from "../Noise.ts"

const PNG = { contentType: "image/png" }
const dag = buildDag(noise(1_500_000))

/** A fault, and the expected error: reason, whether it is permanent, and the requested wait. */
type Row = readonly [fault: Fault, reason: string, isPermanent: boolean, retryAfterMillis?: number]

const status = (status: number, code?: string, retryAfter?: string): Fault => ({
  is: "status",
  status,
  ...(code !== undefined && { code }),
  ...(retryAfter !== undefined && { retryAfter }),
})

const ROWS: ReadonlyArray<Row> = [
  [status(403, "SignatureDoesNotMatch"), "Filebase refuses the key: SignatureDoesNotMatch", true],
  [status(403, "InvalidAccessKeyId", "5"), "Filebase refuses the key: InvalidAccessKeyId", true],
  [status(403, "AccessDenied"), "Filebase refuses the key: AccessDenied", true],
  [status(403), "Filebase refuses the key: status 403", true],
  [status(401), "Filebase refuses the key: status 401", true],
  [status(403, "QuotaExceeded"), "Filebase refuses the request: QuotaExceeded", true],
  [
    status(403, "RequestTimeTooSkewed"),
    "Filebase finds that the clock of this machine is wrong: RequestTimeTooSkewed",
    true,
  ],
  [status(404, "NoSuchBucket"), "Filebase has no such bucket: NoSuchBucket", true],
  [status(400, "InvalidArgument"), "Filebase refuses the request: InvalidArgument", true],
  [status(400, CREDENTIALS.key), "Filebase refuses the request: status 400", true],
  [status(413, "EntityTooLarge"), "Filebase refuses the request: EntityTooLarge", true],
  [status(501, "NotImplemented"), "Filebase is in trouble: NotImplemented", true],
  [status(400, "RequestTimeout"), "Filebase refuses the request: RequestTimeout", false],
  [status(400, "XAmzContentSHA256Mismatch"), "Filebase refuses the request: XAmzContentSHA256Mismatch", false],
  [status(408), "Filebase refuses the request: status 408", false],
  [status(409, "OperationAborted"), "Filebase refuses the request: OperationAborted", false],
  [status(429, undefined, "7"), "Filebase asks for fewer requests: status 429", false, 7_000],
  [status(429, undefined, "soon"), "Filebase asks for fewer requests: status 429", false],
  [status(500, "InternalError"), "Filebase is in trouble: InternalError", false],
  [status(502), "Filebase is in trouble: status 502", false],
  [status(503, "SlowDown", "120"), "Filebase asks for fewer requests: SlowDown", false, 120_000],
  [status(503, "SlowDown"), "Filebase asks for fewer requests: SlowDown", false],
  [status(503, undefined, "Thu, 01 Jan 1970 00:00:00 GMT"), "Filebase is in trouble: status 503", false, 0],
  [{ is: "endless", status: 500 }, "Filebase is in trouble: status 500", false],
  [{ is: "endless", status: 403 }, "Filebase refuses the key: status 403", true],
  [{ is: "html", status: 502 }, "Filebase is in trouble: 502 with a page instead of an answer of S3", false],
  [{ is: "html", status: 403 }, "Filebase refuses the key: 403 with a page instead of an answer of S3", true],
  [{ is: "html", status: 200 }, "Not S3 but a page answers at the endpoint of Filebase", false],
]

describe("An upload to Filebase fails", () => {
  for (const [fault, reason, isPermanent, retryAfterMillis] of ROWS) {
    const wait = "retryAfter" in fault ? `, Retry-After: ${fault.retryAfter}` : ""
    it.live(`with "${reason}"${wait}, for ${isPermanent ? "good" : "now"}`, () =>
      Effect.gen(function* () {
        const standIn = yield* filebaseStandIn
        standIn.tell(fault)
        const error = yield* Effect.flip(backendAt(standIn).put(dag, PNG))
        const { backend, ...said } = { ...error }
        assert.strictEqual(backend, "filebase")
        assert.deepEqual(
          { reason: said.reason, isPermanent: said.isPermanent, retryAfterMillis: said.retryAfterMillis },
          { reason, isPermanent, retryAfterMillis },
        )
        assert.strictEqual(standIn.requests.length, 1)
        standIn.forgive()
        yield* backendAt(standIn).put(dag, PNG)
      }),
    )
  }

  it.live("for good when a block does not match its CID", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      const [first, ...others] = dag.blocks
      const wrong = { ...dag, blocks: [{ cid: first!.cid, bytes: noise(first!.bytes.length, "other") }, ...others] }
      const error = yield* Effect.flip(backendAt(standIn).put(wrong, PNG))
      assert.deepInclude(error, { isPermanent: true, reason: "Filebase refuses the request: InvalidCar" })
    }),
  )

  it.live("with the wait until the date in Retry-After", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      standIn.tell(status(503, "SlowDown", new Date(Date.now() + 3_600_000).toUTCString()))
      const { retryAfterMillis } = yield* Effect.flip(backendAt(standIn).put(dag, PNG))
      assert.isTrue(retryAfterMillis !== undefined && retryAfterMillis > 3_000_000 && retryAfterMillis <= 3_600_000)
    }),
  )

  for (const method of ["PUT", "HEAD"] as const) {
    it.live(`for now when the connection breaks before the answer to ${method}`, () =>
      Effect.gen(function* () {
        const standIn = yield* filebaseStandIn
        standIn.tell({ is: "cid", of: () => undefined }, ["PUT"], method === "HEAD" ? 1 : 0)
        standIn.tell({ is: "reset" }, [method])
        const error = yield* Effect.flip(backendAt(standIn).put(dag, PNG))
        assert.isFalse(error.isPermanent)
        assert.match(error.reason, /^The connection to Filebase failed/)
      }),
    )

    it.effect(`for now at the deadline when ${method} is not answered, and closes the connection`, () =>
      Effect.gen(function* () {
        yield* TestClock.setTime(Date.now())
        const standIn = yield* filebaseStandIn
        standIn.tell({ is: "cid", of: () => undefined }, ["PUT"], method === "HEAD" ? 1 : 0)
        standIn.tell({ is: "hang" }, [method])
        const [hanging, leaving] = [standIn.nextHang(), standIn.nextLeaving()]
        const fiber = yield* Effect.forkChild(Effect.flip(backendAt(standIn).put(dag, PNG)))
        yield* Effect.promise(() => hanging)
        yield* TestClock.adjust(60_000)
        const error = yield* Fiber.join(fiber)
        assert.isFalse(error.isPermanent)
        const step = { PUT: "the upload", HEAD: "the question for the CID" }[method]
        assert.strictEqual(error.reason, `Filebase did not answer ${step} in time`)
        yield* Effect.promise(() => leaving)
      }),
    )
  }

  it.live("when it is redirected, which is not followed", () =>
    Effect.gen(function* () {
      const [standIn, elsewhere] = [yield* filebaseStandIn, yield* filebaseStandIn]
      const backend = backendAt(standIn)
      for (const code of [301, 302, 303, 307, 308]) {
        standIn.forgive()
        standIn.tell({ is: "redirect", status: code, to: `${elsewhere.url}/launchpad-tests/there.car` })
        for (const attempt of [backend.put(dag, PNG), backend.probe])
          assert.deepInclude(yield* Effect.flip(attempt), {
            isPermanent: code === 301 || code === 308,
            reason: `Filebase redirects, where a signed request does not follow: status ${code}`,
          })
      }
      assert.strictEqual(elsewhere.requests.length, 0)
    }),
  )

  it.live("for now when nothing listens", () =>
    Effect.gen(function* () {
      const url = yield* Effect.scoped(Effect.map(filebaseStandIn, ({ url }) => url))
      const error = yield* Effect.flip(backendAt({ url }).put(dag, PNG))
      assert.deepInclude(error, { isPermanent: false, reason: "The connection to Filebase failed: ECONNREFUSED" })
    }),
  )

  it.live("without leaving a request open when it is interrupted", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      standIn.tell({ is: "hang" })
      const [hanging, leaving] = [standIn.nextHang(), standIn.nextLeaving()]
      const fiber = yield* Effect.forkChild(backendAt(standIn).put(dag, PNG))
      yield* Effect.promise(() => hanging)
      yield* Fiber.interrupt(fiber)
      yield* Effect.promise(() => leaving)
    }),
  )
})

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

it.live("A Filebase failure is of the upload, or of the backend", () =>
  Effect.gen(function* () {
    const standIn = yield* filebaseStandIn
    for (const [scope, faults] of Object.entries({ upload: OF_UPLOAD, backend: OF_BACKEND }))
      for (const fault of faults) {
        standIn.forgive()
        standIn.tell(fault)
        const error = yield* Effect.flip(backendAt(standIn).put(dag, PNG))
        assert.strictEqual(error.scope, scope, error.reason)
      }
  }),
)
