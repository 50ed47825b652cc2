import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Option, Tracer } from "effect"
import { HttpServerRequest } from "effect/http"
import { SEEDED_POOLS } from "@launch-registry/chain/localnet/SeedAccounts"
import { sampledTracer } from "../../src/telemetry/SampledTracer.ts"
import { tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { type ReceivedSpan, valuesOf } from "./CollectorStandIn.ts"
import { Surroundings, tracedServer } from "./TracedServer.ts"

const REAL = { excludeTestServices: true } as const

const [SERVER, CLIENT] = [2, 3]

let made = 0
/** A trace that a caller began. */
const newTrace = () => {
  const [traceId, spanId] = [32, 16].map((length) => (++made).toString(16).padStart(length, "a"))
  return {
    traceId: traceId!,
    spanId: spanId!,
    sampled: `00-${traceId}-${spanId}-01`,
    unsampled: `00-${traceId}-${spanId}-00`,
  }
}

/** The spans of a trace, once its requests have ended. */
const spansOf = Effect.fnUntraced(function* (traceId: string, requests = 1) {
  const { collector } = yield* Surroundings
  const ofTrace = () => collector.spans.filter((span) => span.traceId === traceId)
  yield* collector.until(() => ofTrace().filter(({ kind }) => kind === SERVER).length === requests)
  return ofTrace()
})

const named = (spans: ReadonlyArray<ReceivedSpan>, name: string) => {
  const found = spans.find((span) => span.name === name)
  assert.isDefined(found, `${name} in ${spans.map((span) => span.name).join(", ")}`)
  return found!
}

describe("Traces", () => {
  layer(tracedServer(), REAL)("of requests", (it) => {
    it.effect("continue the caller's, are named by route, and have their statements as children", () =>
      Effect.gen(function* () {
        const { request, url } = yield* TestServer
        const created = yield* request("/api/tokens", { json: tokenDraft() })
        const { sampled, spanId, traceId } = newTrace()
        const headers = { traceparent: sampled, "x-request-id": "mine" }
        const refused = yield* request(`/api/tokens/${created.body.data.id}?CANARY=1`, { headers })
        yield* request(`/api/tokens/${created.body.data.id}`, { headers })
        const spans = yield* spansOf(traceId, 2)
        const span = named(spans, "GET /api/tokens/:id")
        assert.strictEqual(span.parentSpanId, spanId)
        assert.deepStrictEqual(valuesOf(span.attributes), {
          "launch_registry.request_id": refused.body.requestId,
          "http.route": "/api/tokens/:id",
          "http.request.method": "GET",
          "url.path": `/api/tokens/${created.body.data.id}`,
          "url.scheme": "http",
          "server.address": "127.0.0.1",
          "server.port": Number(new URL(url).port),
          "http.response.status_code": 400,
        })
        const statement = spans.find(({ kind, name }) => kind === CLIENT && name === "select tokens")!
        assert.deepInclude(valuesOf(statement.attributes), {
          "db.system.name": "postgresql",
          "db.query.summary": "select tokens",
        })
        const parents = new Map(spans.map((each) => [each.spanId, each]))
        let top = statement
        while (parents.has(top.parentSpanId!)) top = parents.get(top.parentSpanId!)!
        assert.strictEqual(top.kind, SERVER)
        assert.isAtLeast(Number(BigInt(statement.endTimeUnixNano) - BigInt(statement.startTimeUnixNano)), 0)
      }),
    )

    it.effect("say which endpoint a call to the chain went to, and tell it the trace", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const { rpcCalls } = yield* Surroundings
        const { sampled, traceId } = newTrace()
        const headers = { traceparent: sampled, tracestate: "vendor=of-the-caller" }
        const pool = yield* request(`/api/launch/pool/state/${SEEDED_POOLS[0]!.baseMint}`, { headers })
        assert.strictEqual(pool.status, 200)
        const spans = yield* spansOf(traceId)
        const call = spans.find(({ attributes }) => valuesOf(attributes)["rpc.system"] === "jsonrpc")!
        assert.deepStrictEqual(valuesOf(call.attributes), {
          "rpc.system": "jsonrpc",
          "rpc.method": call.name,
          "launch_registry.rpc.endpoint": "primary",
        })
        const sent = rpcCalls.find(({ traceparent }) => traceparent === `00-${traceId}-${call.spanId}-01`)
        assert.strictEqual(sent?.tracestate, "vendor=of-the-caller")
      }),
    )

    it.effect("leave out what the caller does not record, probes and loops", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const { collector } = yield* Surroundings
        const [left, last] = [newTrace(), newTrace()]
        yield* request("/api/tokens?limit=1", { headers: { traceparent: left.unsampled } })
        for (const path of ["/livez", "/readyz?x=1", "/metrics"])
          yield* Effect.flatMap(TestServer, ({ fetch }) => fetch(path, { headers: { traceparent: left.sampled } }))
        yield* request("/api/tokens?limit=1", { headers: { traceparent: last.sampled } })
        yield* spansOf(last.traceId)
        assert.isEmpty(collector.spans.filter(({ traceId }) => traceId === left.traceId))
        const roots = collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined)
        assert.isEmpty(roots.filter(({ kind }) => kind !== SERVER))
      }),
    )
  })
})

const [TRACE, SPAN] = ["a".repeat(31), "b".repeat(16)]
const LOW = `00-${TRACE}1-${SPAN}-01`
const ALL = { isCallerTrusted: true, recordedShare: 1 }

/** Options, headers of a request, and what its span is: recorded or not, of the caller's trace or our own. */
const SAMPLED: ReadonlyArray<
  readonly [options: typeof ALL, headers: Readonly<Record<string, string>>, isRecorded: boolean, isCallers: boolean]
> = [
  [ALL, {}, true, false],
  [ALL, { traceparent: LOW }, true, true],
  [ALL, { traceparent: LOW.replace(/1$/, "0") }, false, true],
  [{ ...ALL, recordedShare: 0 }, {}, false, false],
  [{ ...ALL, recordedShare: 0 }, { traceparent: LOW }, true, true],
  [{ ...ALL, isCallerTrusted: false }, { traceparent: LOW }, true, false],
  [{ ...ALL, isCallerTrusted: false }, { traceparent: LOW.replace(/1$/, "0") }, true, false],
  ...[
    { traceparent: LOW.replace(/-01$/, "") },
    { traceparent: `00-${"0".repeat(32)}-${SPAN}-01` },
    { traceparent: `00-${TRACE.toUpperCase()}1-${SPAN}-01` },
    { traceparent: `${LOW}, ${LOW}` },
    { b3: `${TRACE}1-${SPAN}-1` },
    { "x-b3-traceid": `${TRACE}1`, "x-b3-spanid": SPAN, "x-b3-sampled": "1" },
  ].map((headers) => [ALL, headers, true, false] as const),
]

const beginning = {
  ...{ name: "a request", parent: Option.none(), annotations: Context.empty(), links: [] },
  ...{ startTime: 0n, kind: "server" as const, root: true, sampled: true },
}

describe("A trace", () => {
  it.effect("continues that of the caller if it says so in traceparent, and is recorded if the caller records it", () =>
    Effect.gen(function* () {
      const native = Tracer.make({ span: (options) => new Tracer.NativeSpan(options) })
      for (const [options, headers, isRecorded, isCallers] of SAMPLED) {
        const request = HttpServerRequest.fromWeb(new Request("http://localhost/", { headers }))
        const span = yield* Effect.provideService(
          Effect.sync(() => sampledTracer(native, options).span(beginning)),
          HttpServerRequest.HttpServerRequest,
          request,
        )
        assert.deepStrictEqual(
          [span.sampled, span.traceId === `${TRACE}1`],
          [isRecorded, isCallers],
          JSON.stringify(headers),
        )
      }
    }),
  )

  it.effect("of ours is recorded by the random part of its id, with OTEL_TRACES_SAMPLER_ARG=0.5", () =>
    Effect.sync(() => {
      const isRecorded = (digit: string) => {
        const ours = Tracer.externalSpan({ traceId: digit.repeat(32), spanId: SPAN })
        const tracer = Tracer.make({
          span: (options) => new Tracer.NativeSpan({ ...options, parent: Option.some(ours) }),
        })
        return sampledTracer(tracer, { isCallerTrusted: false, recordedShare: 0.5 }).span(beginning).sampled
      }
      assert.deepStrictEqual(["0", "7", "8", "f"].map(isRecorded), [true, true, false, false])
    }),
  )
})
