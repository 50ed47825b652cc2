import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestServer } from "../TestServer.ts"
import { TestBridge } from "../bridge/TestBridge.ts"

const health = Effect.flatMap(TestServer, ({ request }) => Effect.map(request("/"), ({ body }) => body.data))

layer(TestBridge.layer())("Health of bridging", (it) => {
  it.effect("is what the swap service last answered, without asking it", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      assert.strictEqual((yield* health).bridge.status, "up")
      assert.lengthOf(standIn.seen, 0)
      standIn.trouble({ status: 503 })
      for (let attempt = 0; attempt < 8; attempt++) yield* quote()
      const away = yield* health
      assert.strictEqual(away.bridge.status, "degraded")
      assert.strictEqual(away.status, "degraded")
      assert.include(away.bridge.detail, "away")
    }),
  )
})
