import { assert, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Logger, Option, References } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { Bridge, bridge } from "../src/Bridge.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { AMPLE, API_KEY, TestBridge } from "./TestBridge.ts"

/** Another process on the same database. */
const replica = Effect.gen(function* () {
  const { options } = yield* TestBridge
  const sql = yield* SqlClient
  const services = yield* Layer.build(bridge(Option.some(options))).pipe(Effect.provideService(SqlClient, sql))
  return yield* Effect.orDie(Context.get(services, Bridge).parts)
})

const health = Effect.flatMap(TestServer, ({ request }) => Effect.map(request("/"), ({ body }) => body.data.bridge))

layer(TestBridge.layer())("While the swap service fails to quote", (it) => {
  it.effect("swaps are still polled, and health says what fails and why", () =>
    Effect.gen(function* () {
      const { quote, read, standIn, step, swap } = yield* TestBridge
      const { id } = yield* swap()
      standIn.trouble({ status: 502 }, { call: "quote" })
      yield* TestClock.adjust("20 seconds")
      for (let attempt = 0; attempt < 8; attempt++) assert.strictEqual((yield* quote()).status, 503)
      assert.lengthOf(standIn.calls("quote"), 1 + 5)
      assert.deepInclude(yield* health, {
        status: "degraded",
        detail: "the swap service is down for quotes: it has a fault",
      })
      assert.strictEqual(yield* step, 1)
      assert.deepInclude(yield* read(id), { stale: false, lastCheckedAt: "2026-11-21T12:00:20.000Z" })
      standIn.recover()
      yield* TestClock.adjust("61 seconds")
      assert.strictEqual((yield* quote()).status, 200)
      assert.strictEqual((yield* health).status, "up")
    }),
  )
})

layer(TestBridge.layer())("While the swap service asks for a pause", (it) => {
  it.effect("nothing is quoted or polled, and health says until when", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      assert.strictEqual((yield* quote()).status, 200)
      assert.strictEqual((yield* health).status, "up")
      standIn.trouble({ status: 429, retryAfter: "90" }, { call: "quote", times: 1 })
      for (let attempt = 0; attempt < 2; attempt++) assert.strictEqual((yield* quote()).status, 503)
      assert.deepInclude(yield* health, {
        status: "degraded",
        detail: "the swap service asked to wait until 2026-11-21T12:01:30.000Z",
      })
      yield* TestClock.adjust("91 seconds")
      assert.strictEqual((yield* health).status, "up")
      assert.strictEqual((yield* quote()).status, 200)
    }),
  )
})

layer(TestBridge.layer())("While polling fails", (it) => {
  it.effect("quotes still work, and one process at a time probes for recovery", () =>
    Effect.gen(function* () {
      const { pass, quote, read, standIn, swap } = yield* TestBridge
      const [one, other] = [yield* replica, yield* replica]
      const swaps = yield* Effect.forEach(Array.from({ length: 30 }), () => swap())
      standIn.trouble({ status: 500 }, { call: "status" })
      yield* pass(60)
      const [first] = swaps
      assert.isTrue((yield* read(first!.id)).stale)
      assert.strictEqual((yield* quote()).status, 200)
      assert.include((yield* health).detail, "down for following swaps")
      yield* TestClock.adjust("6 minutes")
      const rush = Effect.all(
        Array.from({ length: 8 }, (_, at) => (at % 2 === 0 ? one : other).watch(16)),
        { concurrency: "unbounded" },
      )
      assert.lengthOf((yield* rush).flat(), 1)
      // The admitted process does not return: others wait for the deadline of a request, and no longer.
      for (let attempt = 0; attempt < 8; attempt++) assert.strictEqual((yield* quote()).status, 200)
      yield* TestClock.adjust("14 seconds")
      assert.lengthOf((yield* rush).flat(), 0)
      yield* TestClock.adjust("1 second")
      const [probe] = (yield* rush).flat()
      standIn.recover()
      yield* probe!
      assert.isAbove((yield* rush).flat().length, 1)
    }),
  )
})

layer(TestBridge.layer({ rates: { watch: AMPLE, quote: { perSecond: 1, burst: 4 } } }))("Dry quotes", (it) => {
  it.effect("use at most half of the quote rate, so that real quotes get the rest", () =>
    Effect.gen(function* () {
      const { quote } = yield* TestBridge
      const statuses: Array<number> = []
      for (let at = 0; at < 4; at++) statuses.push((yield* quote()).status)
      for (let at = 0; at < 3; at++) statuses.push((yield* quote({ dry: false })).status)
      assert.deepStrictEqual(statuses, [200, 200, 503, 503, 200, 200, 503])
    }),
  )
})

it.effect("A refused key is logged as an error when it stops a kind of calls", () => {
  const lines: Array<string> = []
  const logger = Logger.make(({ fiber, logLevel, message }) => {
    lines.push(`${logLevel} ${String(message)} ${JSON.stringify(fiber.getRef(References.CurrentLogAnnotations))}`)
  })
  return Effect.gen(function* () {
    const { pass, quote, standIn, swap } = yield* TestBridge
    yield* Effect.forEach(Array.from({ length: 8 }), () => swap())
    standIn.trouble({ status: 401 })
    for (let attempt = 0; attempt < 6; attempt++) yield* quote()
    yield* pass(120)
    const errors = lines.filter((line) => line.startsWith("Error"))
    // For quotes, and for following swaps.
    assert.lengthOf(errors, 2)
    for (const line of errors) assert.match(line, /refuses INTENTS_API_KEY.*"reason":"unauthorized","httpStatus":401/)
    assert.include((yield* health).detail, "does not take the API key")
    assert.notInclude(lines.join("\n"), API_KEY)
  }).pipe(
    Effect.provide(TestBridge.layer({ observation: Layer.mergeAll(Logger.layer([logger])) })),
    Effect.provide(Logger.layer([logger])),
  )
})
