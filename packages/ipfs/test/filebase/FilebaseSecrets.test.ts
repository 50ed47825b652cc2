import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger, Redacted, Schema, Tracer } from "effect"
import { buildDag } from "../../src/content/Dag.ts"
import { BackendFailed } from "../../src/backends/IpfsBackend.ts"
import { backendAt } from "./BackendAt.ts"
import { CREDENTIALS, type Fault, filebaseStandIn } from "./FilebaseStandIn.ts"
import { noise } from "../Noise.ts"

const PNG = { contentType: "image/png" }
const dag = buildDag(noise(1_500_000))

/** Every way to print an error. */
const printed = (...values: ReadonlyArray<unknown>): string =>
  values
    .flatMap((value) => [
      String(value),
      JSON.stringify(value, (_, one) => (typeof one === "bigint" ? String(one) : one)) ?? "",
      value instanceof Error ? `${value.stack}${inspect(value.cause)}` : "",
      inspect(value, { depth: 8, showHidden: true }),
    ])
    .join("\n")

const { key, secret } = CREDENTIALS
const FAULTS: ReadonlyArray<readonly [what: string, fault: Fault | undefined]> = [
  ["nothing happens", undefined],
  ["the refusal quotes everything", { is: "status", status: 403, code: "SignatureDoesNotMatch" }],
  ["the code is the key", { is: "status", status: 403, code: key }],
  ["the code holds the key", { is: "status", status: 500, code: `No${key}` }],
  ["the code is the secret", { is: "status", status: 400, code: secret }],
  ["a page quotes the headers", { is: "html", status: 503 }],
  ["the CID is the key", { is: "cid", of: () => key }],
  ["it is redirected to the key", { is: "redirect", status: 307, to: `http://${key}@127.0.0.1/${key}` }],
  ["the connection breaks", { is: "reset" }],
  ["the answer does not come", { is: "hang" }],
]

describe("Key, secret and signature", () => {
  for (const [what, fault] of FAULTS) {
    it.live(`are in no error, log or span when ${what}`, () =>
      Effect.gen(function* () {
        const standIn = yield* filebaseStandIn
        if (fault !== undefined) standIn.tell(fault)
        const logs: Array<string> = []
        const spans: Array<Tracer.Span> = []
        const tracer = Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            spans.push(span)
            return span
          },
        })
        const backend = backendAt(standIn, fault?.is === "hang" ? { attemptMillis: 1_000, probeMillis: 500 } : {})
        const exits = yield* Effect.forEach([backend.put(dag, PNG), backend.probe], (attempt) =>
          attempt.pipe(
            Effect.tapCause((cause) => Effect.logError("The attempt failed", cause)),
            Effect.exit,
          ),
        ).pipe(
          Effect.withTracer(tracer),
          Effect.provide(Logger.layer([Logger.make(({ cause, message }) => void logs.push(printed(message, cause)))])),
        )
        const seen = [printed(backend, ...exits), ...logs]
        for (const exit of exits) {
          if (exit._tag === "Success") continue
          seen.push(printed(Cause.pretty(exit.cause), Cause.squash(exit.cause)))
          for (const error of exit.cause.reasons.filter(Cause.isFailReason).map(({ error }) => error))
            seen.push(printed(yield* Schema.encodeEffect(BackendFailed)(error)))
        }
        for (const span of spans)
          seen.push(printed(span.name, [...span.attributes], span.status, ...("events" in span ? [span.events] : [])))
        assert.deepInclude(
          spans.map(({ name }) => name),
          "FilebaseBackend.put",
        )
        const signatures = standIn.requests.map(({ headers }) => /Signature=(\w+)/.exec(headers.authorization!)![1]!)
        assert.isNotEmpty(signatures)
        for (const canary of [key, secret, "CANARY", ...signatures, standIn.url])
          assert.notInclude(seen.join("\n"), canary)
      }),
    )
  }

  it.live("are not in an error when the error code contains one", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      const key = "CanaryOfLetters"
      for (const code of [key, `Invalid${key}Id`]) {
        standIn.forgive()
        standIn.tell({ is: "status", status: 403, code })
        const { reason } = yield* Effect.flip(backendAt(standIn, { key: Redacted.make(key) }).put(dag, PNG))
        assert.strictEqual(reason, "Filebase refuses the key: status 403")
      }
    }),
  )

  it.live("are quoted by the stand-in, so that these tests can fail", () =>
    Effect.gen(function* () {
      const standIn = yield* filebaseStandIn
      standIn.tell({ is: "status", status: 403, code: "SignatureDoesNotMatch" })
      yield* Effect.flip(backendAt(standIn).put(dag, PNG))
      const { headers } = standIn.requests[0]!
      const text = yield* Effect.promise(async () => {
        const { authorization, "x-amz-date": date } = headers as Readonly<Record<string, string>>
        const answer = await fetch(`${standIn.url}/x`, {
          headers: { authorization: authorization!, "x-amz-date": date! },
        })
        return answer.text()
      })
      assert.include(text, key)
      assert.include(text, /Signature=(\w+)/.exec(headers.authorization!)![1]!)
    }),
  )
})
