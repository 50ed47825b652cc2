import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { TestServer } from "../../../service/test/TestServer.ts"
import { TestBridge } from "../../../bridge/test/TestBridge.ts"

const health = Effect.flatMap(TestServer, ({ request }) => Effect.map(request("/"), ({ body }) => body.data))

layer(TestBridge.layer())("Health of bridging", (it) => {
  it.effect("is the last answer of the swap service, without a request to it", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const before = yield* health
      assert.deepStrictEqual(before.bridge, { status: "unknown", detail: "not asked yet" })
      assert.strictEqual(before.status, "ok")
      assert.lengthOf(standIn.seen, 0)
      yield* quote()
      assert.deepStrictEqual((yield* health).bridge, { status: "up", detail: "the swap service answers" })
      const asked = standIn.seen.length
      yield* health
      assert.lengthOf(standIn.seen, asked)
      standIn.trouble({ status: 503 })
      for (let attempt = 0; attempt < 8; attempt++) yield* quote()
      const outage = yield* health
      assert.strictEqual(outage.bridge.status, "degraded")
      assert.strictEqual(outage.status, "degraded")
      assert.include(outage.bridge.detail, "down")
    }),
  )

  it.effect("expires after hours", () =>
    Effect.gen(function* () {
      const { quote, standIn, step, swap } = yield* TestBridge
      standIn.recover()
      yield* TestClock.adjust("2 minutes")
      yield* quote()
      yield* swap()
      assert.strictEqual((yield* health).bridge.status, "up")
      yield* TestClock.adjust("3 hours")
      const old = yield* health
      assert.strictEqual(old.bridge.status, "unknown")
      assert.match(old.bridge.detail, /last answered at 2026-11-21T12:02/)
      assert.strictEqual(old.status, "ok")
      standIn.recover()
      yield* TestClock.adjust("20 seconds")
      yield* quote()
      yield* step
      assert.deepStrictEqual((yield* health).bridge, { status: "up", detail: "the swap service answers" })
    }),
  )
})
