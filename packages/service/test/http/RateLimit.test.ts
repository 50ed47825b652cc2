import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { apiKeyStatements } from "@launch-registry/server/access/ApiKeys"
import { assert, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { type Answer, TestServer } from "../TestServer.ts"
import { tokenDraft } from "../Samples.ts"
import { accessOf, keyOf } from "../access/TestAccess.ts"

const WINDOW = { windowMillis: 60_000 }

type Options = NonNullable<Parameters<typeof TestServer.layer>[0]>

/** Nothing here asks the chain. */
const NO_CHAIN = { rpcUrl: "http://127.0.0.1:1" }

/** Servers on one database, each with connections of its own. */
const replicas = Effect.fnUntraced(function* (options: Options) {
  const name = yield* TestDatabase.migrated
  const start = Effect.suspend(() =>
    Layer.build(TestServer.layer({ ...NO_CHAIN, ...options, database: TestDatabase.connectionsTo(name) })),
  )
  return [Context.get(yield* start, TestServer), Context.get(yield* start, TestServer)] as const
})

const LIVE = "/api/system/rpc"

const statusesOf = (answers: ReadonlyArray<Answer>) => {
  const count = (status: number) => answers.filter((answer) => answer.status === status).length
  return { allowed: count(200), refused: count(429), others: answers.length - count(200) - count(429) }
}

const policyOf = ({ headers }: Answer) => [headers.get("ratelimit-policy"), headers.get("ratelimit")]

it.effect("Two replicas share one budget of a client, which is whole again in the next window", () =>
  Effect.gen(function* () {
    const servers = yield* replicas({ limits: { rate: { requests: 100, ...WINDOW } } })
    const answers = (count: number) =>
      Effect.forEach(
        Array.from({ length: count }, (_, request) => servers[request % 2]!),
        ({ request }) => request(LIVE),
        { concurrency: 8 },
      )
    const first = statusesOf(yield* answers(200))
    assert.deepStrictEqual(first, { allowed: 100, refused: 100, others: 0 })
    for (const { request } of servers) {
      const refused = yield* request("/openapi.json")
      assert.strictEqual(refused.status, 429)
      assert.deepStrictEqual(refused.body.details, {
        ...{ limit: 100, windowSeconds: 60, weight: 1, retryAfterSeconds: 60 },
      })
      assert.deepInclude(refused.body, { success: false, code: "rate_limited" })
      assert.strictEqual(refused.headers.get("retry-after"), "60")
      assert.deepStrictEqual(policyOf(refused), [`"default";q=100;w=60`, `"default";r=0;t=60`])
    }
    yield* TestClock.adjust("60 seconds")
    const second = statusesOf(yield* answers(200))
    assert.deepStrictEqual(second, { allowed: 100, refused: 100, others: 0 })
  }),
)

layer(TestServer.layer({ limits: { rate: { requests: 1_000, ...WINDOW } } }))("A limit of requests", (it) => {
  const remaining = Effect.fn(function* (path: string, options?: Parameters<TestServer["Service"]["request"]>[1]) {
    const { request } = yield* TestServer
    const { headers } = yield* request(path, options)
    return Number(/^"default";r=(\d+);t=\d+$/.exec(headers.get("ratelimit") ?? "")?.[1])
  })

  it.effect("counts costly requests several times, and those without a route once", () =>
    Effect.gen(function* () {
      let left = yield* remaining("/nowhere")
      for (const [weight, path, options] of [
        [1, "/nowhere"],
        [1, "/api/tokens/mint/So11111111111111111111111111111111111111112"],
        [1, "/api/tokens?nothing=1", { method: "DELETE" }],
        [3, "/api/tokens?limit=1"],
        [3, "/api/tokens?limit=1", { method: "HEAD" }],
        [5, "/api/tokens/search?q=a"],
        [3, "/api/tokens", { json: tokenDraft() }],
        [3, "/api/tokens", { json: { name: 1 } }],
        [20, "/api/ipfs/upload-image", { method: "POST", raw: "no form" }],
      ] as const) {
        const now = yield* remaining(path, options)
        assert.strictEqual(left - now, weight, path)
        left = now
      }
    }),
  )

  it.effect("tells scripts of other origins, and does not count their preflights", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const origin = { origin: "https://example.com" }
      const answer = yield* request("/nowhere", { headers: origin })
      const exposed = answer.headers.get("access-control-expose-headers")!.split(",")
      assert.includeMembers(exposed, ["ratelimit", "ratelimit-policy", "retry-after"])
      const asked = { ...origin, "access-control-request-method": "POST" }
      const preflight = yield* request("/api/tokens", { method: "OPTIONS", headers: asked })
      assert.deepStrictEqual([preflight.status, preflight.headers.get("ratelimit")], [204, null])
    }),
  )
})

layer(TestServer.layer({ limits: { rate: { requests: 3, ...WINDOW } } }))("A client over its limit", (it) => {
  it.effect(
    "is refused by whatever address it claims to forward for, and still finds probes, content and the webhook",
    () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const forged = (hop: number) => ({ "x-forwarded-for": `203.0.113.${hop}` })
        const statuses = yield* Effect.forEach([1, 2, 3, 4, 5], (hop) =>
          Effect.map(request(LIVE, { headers: forged(hop) }), ({ status }) => status),
        )
        assert.deepStrictEqual(statuses, [200, 200, 200, 429, 429])
        for (const [path, status, method] of [
          ["/livez", 200],
          ["/readyz", 200],
          ["/ipfs/bafkreic6pgujblnigil6h5yuj27fd3fikf4l6skr6yghucz3tlskmlzzoa", 404],
          ["/ipfs/bafkreic6pgujblnigil6h5yuj27fd3fikf4l6skr6yghucz3tlskmlzzoa/a/b", 404],
          ["/api/webhooks/helius", 503, "POST"],
          ["/api/webhooks/helius", 429, "GET"],
        ] as const) {
          const answer = yield* request(path, { method: method ?? "GET" })
          assert.strictEqual(answer.status, status, path)
          assert.strictEqual(answer.headers.has("ratelimit"), status === 429, path)
        }
        const metrics = yield* Effect.flatMap(TestServer, ({ fetch }) => fetch("/metrics"))
        assert.strictEqual(metrics.status, 200)
      }),
  )
})

layer(
  TestServer.layer({
    limits: { rate: { requests: 2, ...WINDOW }, addresses: { trustedProxies: ["127.0.0.0/8"] } },
  }),
)("Behind a trusted proxy", (it) => {
  it.effect("each address has a budget, and each /64 of IPv6", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const statusFor = (forwardedFor: string) =>
        Effect.map(request(LIVE, { headers: { "x-forwarded-for": forwardedFor } }), ({ status }) => status)
      for (const forwardedFor of ["192.0.2.1", "192.0.2.2", "192.0.2.1, 192.0.2.3", "2001:db8::1"])
        assert.deepStrictEqual(yield* Effect.all([1, 2, 3].map(() => statusFor(forwardedFor))), [200, 200, 429])
      assert.strictEqual(yield* statusFor("2001:db8::2"), 429)
      // A costly request takes the whole budget, and no more.
      const headers = { "x-forwarded-for": "192.0.2.4" }
      const uploads = yield* Effect.all([1, 2].map(() => request("/api/ipfs/upload-metadata", { json: {}, headers })))
      assert.deepStrictEqual(
        uploads.map(({ status }) => status),
        [400, 429],
      )
      assert.strictEqual(yield* statusFor("2001:db8:0:1::1"), 200)
    }),
  )
})

layer(TestServer.layer({ limits: { rate: { requests: 2, ...WINDOW } }, access: accessOf({ writeAuth: ["api-key"] }) }))(
  "A client with an API key",
  (it) => {
    it.effect("has the budget of its key, and keys that are not valid have that of the address", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const statusFor = (headers: Readonly<Record<string, string>>) =>
          Effect.map(request(LIVE, { headers }), ({ status }) => status)
        const keys = yield* Effect.all([keyOf("read"), keyOf("read")])
        const rotated = (yield* apiKeyStatements(yield* SqlClient).rotate(keys[0]!.id, 24))!
        for (const { headers } of keys)
          assert.deepStrictEqual(yield* Effect.all([1, 2, 3].map(() => statusFor(headers))), [200, 200, 429])
        assert.strictEqual(yield* statusFor({ "x-api-key": Redacted.value(rotated.text) }), 429)
        const unknown = ["1", "2", "3"].map((key) => statusFor({ "x-api-key": key }))
        assert.deepStrictEqual(yield* Effect.all(unknown), [401, 401, 429])
        // Refusals count for the path that was asked for.
        const { fetch } = yield* TestServer
        const metrics = yield* Effect.flatMap(fetch("/metrics"), (response) => Effect.promise(() => response.text()))
        assert.match(metrics, /http_requests_total\{method="GET",route="\/api\/system\/rpc",status="429"\} [1-9]/)
      }),
    )
  },
)
