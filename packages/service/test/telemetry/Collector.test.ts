import type { ServerResponse } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Exit, Fiber, Layer, Logger, Metric, Scope } from "effect"
import { TestClock } from "effect/testing"
import { DEAD_URL } from "../../../chain/test/rpc/StandInNode.ts"
import type { TelemetryOptions } from "../../src/TelemetrySettings.ts"
import { telemetry } from "../../src/telemetry/Telemetry.ts"
import { collectorStandIn, valuesOf } from "./CollectorStandIn.ts"
import { exportingTo } from "./TracedServer.ts"

const BATCH = 512

/** Far more than a connection takes while the clock is moved. */
const TIMEOUT_MILLIS = 3_600_000

const aMoment = Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 1)))

/** Moves the clock until something is so. Connections are real, so they need moments of their own. */
const passUntil = Effect.fnUntraced(function* (holds: () => boolean) {
  while (!holds()) {
    yield* TestClock.adjust("250 millis")
    yield* aMoment
  }
})

/** Exports of spans alone to a collector, with a log, and a registry of their own. */
const exporting = Effect.fnUntraced(function* (url: string, fields: Partial<TelemetryOptions> = {}) {
  const { metricsUrl: _, ...options } = exportingTo(url, fields)
  const logged: Array<string> = []
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const context = yield* Layer.build(
    telemetry(options, { version: "0.0.0-test", role: "api" }, { timeoutMillis: TIMEOUT_MILLIS }).pipe(
      Layer.provideMerge(Layer.sync(Metric.MetricRegistry, () => new Map())),
      Layer.provideMerge(Logger.layer([Logger.make(({ message }) => void logged.push(String(message)))])),
    ),
  ).pipe(Scope.provide(scope))
  const dropped = () =>
    Metric.snapshotUnsafe(context).flatMap(({ id, state, type }) =>
      id === "otlp_dropped_total" && type === "Counter" ? [Number(state.count)] : [],
    )[0]!
  const work = (spans: number) =>
    Effect.provide(
      Effect.replicateEffect(Effect.withSpan(Effect.void, "work", { kind: "consumer", root: true }), spans),
      context,
    )
  return { context, dropped, logged, scope, work }
})

const status =
  (code: number, headers = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(code, { "content-type": "text/html", ...headers }).end("<h1>CANARY</h1>")

describe("A collector", () => {
  it.effect("that fails costs its spans, which are counted, and one line for the outage", () =>
    Effect.gen(function* () {
      const standIn = yield* collectorStandIn
      const { dropped, logged, work } = yield* exporting(standIn.url)
      standIn.answer = status(500)
      for (const left of [3, 7]) {
        yield* work(left === 3 ? 3 : 4)
        yield* passUntil(() => dropped() === left)
      }
      standIn.answer = status(302, { location: `${standIn.url}/elsewhere` })
      yield* work(1)
      yield* passUntil(() => dropped() === 8)
      standIn.answer = status(200)
      yield* work(2)
      yield* passUntil(() => logged.length === 2)
      assert.deepStrictEqual(logged, [
        "Spans do not reach the OpenTelemetry collector and are dropped: HTTP 500",
        "Spans reach the OpenTelemetry collector again; 8 were dropped since the start",
      ])
      assert.deepStrictEqual([...new Set(standIn.received.map(({ path }) => path))], ["/v1/traces"])
    }),
  )

  it.effect("that is busy gets an export again", () =>
    Effect.gen(function* () {
      const standIn = yield* collectorStandIn
      const { dropped, logged, work } = yield* exporting(standIn.url)
      standIn.answer = (response) => {
        status(503)(response)
        standIn.answer = status(200)
      }
      yield* work(1)
      yield* passUntil(() => standIn.received.length === 2)
      assert.strictEqual(standIn.received[0]!.body, standIn.received[1]!.body)
      yield* work(1)
      yield* passUntil(() => standIn.received.length === 3)
      assert.deepStrictEqual([dropped(), logged], [0, []])
    }),
  )

  it.effect("that is away is named by no URL", () =>
    Effect.gen(function* () {
      const { dropped, logged, work } = yield* exporting(`${DEAD_URL.split("?")[0]!}CANARY`)
      yield* work(1)
      yield* passUntil(() => dropped() === 1)
      assert.lengthOf(logged, 1)
      assert.match(logged[0]!, /dropped: (ECONNREFUSED|\w+)$/)
      assert.notInclude(logged.join(), "CANARY")
    }),
  )

  it.effect("whose answer never ends is read no further", () =>
    Effect.gen(function* () {
      const standIn = yield* collectorStandIn
      const { dropped, logged, work } = yield* exporting(standIn.url)
      let isClosed = false
      standIn.answer = (response) => {
        response.writeHead(200)
        response.once("close", () => void (isClosed = true))
        const write = () => {
          while (!isClosed && response.write("x".repeat(16_384)));
          response.once("drain", write)
        }
        write()
      }
      yield* work(1)
      yield* passUntil(() => isClosed)
      assert.deepStrictEqual([dropped(), logged], [0, []])
    }),
  )

  it.effect("that hangs holds four exports at most, and delays a stop by seconds at most", () =>
    Effect.gen(function* () {
      const standIn = yield* collectorStandIn
      const { dropped, scope, work } = yield* exporting(standIn.url)
      standIn.answer = () => undefined
      yield* work(10 * BATCH)
      yield* standIn.until(() => standIn.received.length >= 4)
      assert.strictEqual(dropped(), 6 * BATCH)
      yield* work(1)
      const stoppedAt = yield* Clock.currentTimeMillis
      const stop = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* passUntil(() => stop.pollUnsafe() !== undefined)
      yield* Fiber.join(stop)
      // Its timeout is an hour.
      assert.isBelow((yield* Clock.currentTimeMillis) - stoppedAt, 10_000)
      assert.lengthOf(standIn.received, 4)
    }),
  )
})

describe("An exported span", () => {
  it.effect("has listed attributes alone, and of an error only its type", () =>
    Effect.gen(function* () {
      const standIn = yield* collectorStandIn
      const { context, scope } = yield* exporting(standIn.url)
      const attributes = {
        ...{ "url.full": "https://host/CANARY", "url.query": "key=CANARY", "user_agent.original": "CANARY" },
        ...{ "db.query.text": "select 'CANARY' from tokens", "http.request.header.authorization": "CANARY" },
        ...{ "code.stacktrace": "CANARY", "url.path": `/${"x".repeat(300)}`, "rpc.method": "getSlot" },
      }
      const failing = Effect.gen(function* () {
        const span = yield* Effect.orDie(Effect.currentSpan)
        span.event("CANARY", 1n, { text: "CANARY" })
        span.event("effect.sql.transaction.rollback", 1n, { text: "CANARY" })
        return yield* Effect.fail(new RangeError("CANARY", { cause: new Error("CANARY") }))
      }).pipe(Effect.withSpan("work", { kind: "consumer", root: true, attributes }))
      yield* Effect.exit(Effect.provide(failing, context))
      const stop = yield* Effect.forkChild(Scope.close(scope, Exit.void))
      yield* passUntil(() => stop.pollUnsafe() !== undefined)
      const [span] = standIn.spans
      assert.deepInclude(span!, { name: "select tokens", status: { code: 2 } })
      assert.deepStrictEqual(valuesOf(span!.attributes), {
        ...{ "url.path": `/${"x".repeat(199)}…`, "rpc.method": "getSlot" },
        ...{ "db.query.summary": "select tokens", "error.type": "RangeError" },
      })
      assert.deepStrictEqual(
        span!.events.map(({ attributes: found, name }) => [name, valuesOf(found)]),
        [
          ["effect.sql.transaction.rollback", {}],
          ["exception", { "exception.type": "RangeError" }],
        ],
      )
      assert.notInclude(standIn.text, "CANARY")
    }),
  )

  it.effect("is protobuf where that is the protocol", () =>
    Effect.gen(function* () {
      const standIn = yield* collectorStandIn
      const { work } = yield* exporting(standIn.url, { protocol: "http/protobuf" })
      yield* work(1)
      yield* passUntil(() => standIn.received.length > 0)
      const [{ body, headers }] = standIn.received as [(typeof standIn.received)[number]]
      assert.strictEqual(headers["content-type"], "application/x-protobuf")
      assert.include(body, "work")
    }),
  )
})
