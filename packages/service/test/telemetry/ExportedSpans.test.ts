import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Metric, Scope } from "effect"
import { telemetry } from "../../src/telemetry/Telemetry.ts"
import { collectorStandIn, valuesOf } from "./CollectorStandIn.ts"
import { exportingTo } from "./TracedServer.ts"

describe("An exported span", () => {
  it.live("has listed attributes alone, and of an error only its type", () =>
    Effect.gen(function* () {
      const standIn = yield* collectorStandIn
      const scope = yield* Scope.make()
      const exported = telemetry(exportingTo(standIn.url), { version: "0.0.0-test", role: "api" })
      const context = yield* Layer.build(
        Layer.provideMerge(
          exported,
          Layer.sync(Metric.MetricRegistry, () => new Map()),
        ),
      ).pipe(Scope.provide(scope))
      const attributes = {
        ...{
          "url.full": "https://host/CANARY",
          "url.query": "key=CANARY",
          "db.query.text": "select 'CANARY' from tokens",
        },
        ...{
          "http.request.header.authorization": "CANARY",
          "code.stacktrace": "CANARY",
          "user_agent.original": "CANARY",
        },
        ...{ "url.path": `/${"x".repeat(300)}`, "rpc.method": "getSlot" },
      }
      const failing = Effect.gen(function* () {
        const span = yield* Effect.orDie(Effect.currentSpan)
        span.event("CANARY", 1n, { text: "CANARY" })
        span.event("effect.sql.transaction.rollback", 1n, { text: "CANARY" })
        return yield* Effect.fail(new RangeError("CANARY", { cause: new Error("CANARY") }))
      })
      yield* Effect.exit(
        failing.pipe(Effect.withSpan("work", { kind: "consumer", root: true, attributes }), Effect.provide(context)),
      )
      yield* Scope.close(scope, Exit.void)
      const [span] = standIn.spans
      assert.strictEqual(span!.name, "select tokens")
      assert.deepStrictEqual(valuesOf(span!.attributes), {
        ...{ "url.path": `/${"x".repeat(199)}…`, "rpc.method": "getSlot" },
        ...{ "db.query.summary": "select tokens", "error.type": "RangeError" },
      })
      assert.deepStrictEqual(span!.status, { code: 2 })
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
})
