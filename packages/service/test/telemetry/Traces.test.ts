import { assert, describe, it, layer } from "@effect/vitest"
import { Context, Effect, Option, Tracer } from "effect"
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

    it.effect("are our own with a traceparent that is none, and with other headers", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const { collector } = yield* Surroundings
        const { spanId, traceId } = newTrace()
        const odd = [
          { traceparent: `00-${traceId}-${spanId}` },
          { traceparent: `00-${"0".repeat(32)}-${spanId}-01` },
          { traceparent: `00-${traceId.toUpperCase()}-${spanId}-01` },
          { traceparent: `00-${traceId}-${spanId}-01, 00-${traceId}-${spanId}-01` },
          { b3: `${traceId}-${spanId}-1` },
          { "x-b3-traceid": traceId, "x-b3-spanid": spanId, "x-b3-sampled": "1" },
        ]
        const ofId = (id: string) =>
          collector.spans.find(({ attributes }) =>
            String(valuesOf(attributes)["launch_registry.request_id"]).startsWith(`${id}.`),
          )
        for (const [index, headers] of odd.entries()) {
          const id = `odd-${index}`
          yield* request("/api/tokens?limit=1", { headers: { ...headers, "x-request-id": id } })
          yield* collector.until(() => ofId(id) !== undefined)
          assert.notStrictEqual(ofId(id)!.traceId, traceId)
          assert.notProperty(ofId(id)!, "parentSpanId")
        }
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

  /** Sends requests of callers' traces, and one of ours that is recorded for sure; returns which of the first were. */
  const recordedOf = Effect.fnUntraced(function* (traces: Readonly<Record<string, string>>) {
    const { request } = yield* TestServer
    const { collector } = yield* Surroundings
    for (const traceparent of Object.values(traces)) yield* request("/api/tokens?limit=1", { headers: { traceparent } })
    const last = `${"0".repeat(31)}1`
    yield* request("/api/tokens?limit=1", { headers: { traceparent: `00-${last}-${"b".repeat(16)}-01` } })
    yield* spansOf(last)
    const ids = new Set(collector.spans.map(({ traceId }) => traceId))
    return Object.keys(traces).filter((name) => ids.has(traces[name]!.split("-")[1]!))
  })
  const traceOf = (first: string, digit: string, flags: string) =>
    `00-${first}${digit.repeat(31)}-${"b".repeat(16)}-${flags}`
  const TRACES = {
    lowRecorded: traceOf("a", "1", "01"),
    lowNot: traceOf("b", "1", "00"),
    highRecorded: traceOf("a", "e", "01"),
    highNot: traceOf("b", "e", "00"),
  }

  layer(tracedServer({ recordedShare: 0 }), REAL)("with OTEL_TRACES_SAMPLER_ARG=0", (it) => {
    it.effect("are recorded where the caller records them", () =>
      Effect.gen(function* () {
        yield* Effect.flatMap(TestServer, ({ request }) => request("/api/tokens?limit=1"))
        assert.deepStrictEqual(yield* recordedOf(TRACES), ["lowRecorded", "highRecorded"])
        const { collector } = yield* Surroundings
        assert.isEmpty(collector.spans.filter(({ parentSpanId }) => parentSpanId === undefined))
      }),
    )
  })

  layer(tracedServer({ isCallerTrusted: false }), REAL)("with TRACEPARENT_TRUSTED=false", (it) => {
    it.effect("are our own, whatever a caller says", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const { collector } = yield* Surroundings
        const { sampled, traceId, unsampled } = newTrace()
        for (const traceparent of [unsampled, sampled])
          yield* request("/api/tokens?limit=1", { headers: { traceparent } })
        yield* collector.until(() => collector.spans.filter(({ kind }) => kind === SERVER).length === 2)
        assert.notInclude(collector.text, traceId)
      }),
    )
  })
})

it.effect("With OTEL_TRACES_SAMPLER_ARG=0.5 a trace of ours is recorded by the random part of its id", () =>
  Effect.sync(() => {
    const isRecorded = (digit: string) => {
      const traceId = digit.repeat(32)
      const ours = Tracer.externalSpan({ traceId, spanId: "b".repeat(16) })
      const tracer = Tracer.make({
        span: (options) => new Tracer.NativeSpan({ ...options, parent: Option.some(ours) }),
      })
      const sampled = sampledTracer(tracer, { isCallerTrusted: false, recordedShare: 0.5 })
      return sampled.span({
        ...{ name: "a request", parent: Option.none(), annotations: Context.empty(), links: [] },
        ...{ startTime: 0n, kind: "server", root: true, sampled: true },
      }).sampled
    }
    assert.deepStrictEqual(["0", "7", "8", "f"].map(isRecorded), [true, true, false, false])
  }),
)
