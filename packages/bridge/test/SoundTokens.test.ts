import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { TestServer } from "../../service/test/TestServer.ts"
import { TestBridge } from "./TestBridge.ts"

const ids = Effect.flatMap(TestServer, ({ request }) =>
  Effect.map(request("/api/bridge/tokens"), ({ body }) => ({
    ids: body.data.map(({ assetId }: { assetId: string }) => assetId),
    isStale: body.stale,
  })),
)

const good = (name: string) => ({
  ...{ assetId: `nep141:${name}.near`, blockchain: "near", symbol: name, decimals: 6, price: 1 },
  contractAddress: `${name}.near`,
})

layer(TestBridge.layer())("The list of tokens", (it) => {
  it.effect("leaves out unsound and duplicate entries", () =>
    Effect.gen(function* () {
      const { standIn } = yield* TestBridge
      const odd = [
        { ...good("nul"), symbol: "a\u0000b" },
        { ...good("bidi"), symbol: "\u202eCDSU" },
        { ...good("long"), symbol: "x".repeat(65) },
        { ...good("digits"), decimals: 200 },
        { ...good("negative"), price: -1 },
        { ...good("dear"), price: 1e300 },
        { ...good("id"), assetId: `nep141:${"x".repeat(300)}` },
        { ...good("chain"), blockchain: "near\u0000" },
        { ...good("contract"), contractAddress: `${"x".repeat(300)}` },
      ]
      const body = [good("a"), ...odd, good("b"), { ...good("a"), symbol: "other" }]
      standIn.trouble({ status: 200, body }, { call: "tokens", times: 1 })
      assert.deepStrictEqual(yield* ids, { ids: ["nep141:a.near", "nep141:b.near"], isStale: false })
    }),
  )
})

layer(TestBridge.layer())("The list of tokens", (it) => {
  it.effect("may be kept by caches until it is refreshed, and then has to be asked for", () =>
    Effect.gen(function* () {
      const { standIn } = yield* TestBridge
      const { request } = yield* TestServer
      const cached = Effect.map(request("/api/bridge/tokens"), ({ headers }) => headers.get("cache-control"))
      yield* TestClock.adjust("6 minutes")
      assert.strictEqual(yield* cached, "public, max-age=300")
      yield* TestClock.adjust("200 seconds")
      assert.strictEqual(yield* cached, "public, max-age=100")
      standIn.trouble({ status: 500, body: {} }, { call: "tokens" })
      yield* TestClock.adjust("100 seconds")
      assert.strictEqual(yield* cached, "no-cache")
    }),
  )
})
