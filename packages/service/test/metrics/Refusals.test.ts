import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Metric } from "effect"
import { adminAccess, keyOf } from "../access/TestAccess.ts"
import { tokenDraft, transactionDraft } from "../Samples.ts"
import { type RequestOptions, TestServer } from "../TestServer.ts"
import { readMetrics } from "./MetricsText.ts"

const REAL = { excludeTestServices: true } as const
/** Nothing here asks the chain. */
const NO_CHAIN = { rpcUrl: "http://127.0.0.1:1" }

const serverOf = (options: NonNullable<Parameters<typeof TestServer.layer>[0]>) =>
  TestServer.layer({ ...NO_CHAIN, ...options }).pipe(Layer.provide(Layer.sync(Metric.MetricRegistry, () => new Map())))

/** Refusals by reason and route, once there are as many as expected. */
const untilRefused = (count: number) =>
  Effect.gen(function* () {
    for (;;) {
      const { values } = yield* readMetrics
      const refused = [...values].filter(([series]) => series.startsWith("launch_registry_http_refusals_total{"))
      if (refused.reduce((sum, [, value]) => sum + value, 0) === count)
        return Object.fromEntries(
          refused.map(([series, value]) => {
            const [route, reason] = ["route", "reason"].map(
              (label) => new RegExp(`${label}="([^"]*)"`).exec(series)![1],
            )
            return [`${reason} ${route}`, value]
          }),
        )
    }
  })

const send = (path: string, options: RequestOptions, status: number) =>
  Effect.gen(function* () {
    const { request } = yield* TestServer
    assert.strictEqual((yield* request(path, options)).status, status, path)
  })

const WALLET = { authorization: `Solana ${Buffer.from("{}").toString("base64url")}` }

describe("Refusals", () => {
  const guarded = serverOf({
    access: adminAccess({ writeAuth: ["api-key", "wallet"] }),
  })
  layer(guarded, REAL)("of access", (it) => {
    it.effect("are counted by path, and by what is wrong with the credential", () =>
      Effect.gen(function* () {
        const key = yield* keyOf("read")
        const json = tokenDraft()
        yield* send("/api/tokens", { json }, 401)
        yield* send("/api/tokens", { json, headers: { "x-api-key": "nobody's" } }, 401)
        yield* send("/api/tokens", { json, headers: { "x-api-key": "another" } }, 401)
        yield* send("/api/tokens", { json, headers: WALLET }, 401)
        yield* send("/api/tokens", { json, headers: key.headers }, 403)
        yield* send("/api/system/rpc", {}, 401)
        yield* send("/api/tokens?limit=1", {}, 200)
        yield* send("/api/nothing", {}, 404)
        assert.deepStrictEqual(yield* untilRefused(6), {
          "no_credential /api/tokens": 1,
          "unknown_key /api/tokens": 2,
          "malformed_credential /api/tokens": 1,
          "forbidden /api/tokens": 1,
          "no_credential /api/system/rpc": 1,
        })
      }),
    )
  })

  const limited = serverOf({
    limits: { rate: { requests: 10, windowMillis: 3_600_000 }, writes: { writesPerDay: 1 } },
  })
  layer(limited, REAL)("of limits", (it) => {
    it.effect("are counted by the path that was asked for, whose weight is known", () =>
      Effect.gen(function* () {
        // They count twice each.
        yield* send("/api/transactions", { json: transactionDraft() }, 201)
        yield* send("/api/transactions", { json: transactionDraft() }, 429)
        yield* send("/api/launch/dbc-config", { json: {} }, 429)
        for (const path of ["/api/launch/swap", "/api/launch/swap", "/wp-admin/1", "/wp-admin/2"])
          while ((yield* (yield* TestServer).request(path, { json: {} })).status !== 429);
        const counted = yield* untilRefused(6)
        assert.deepStrictEqual(counted, {
          "limit_reached /api/transactions": 1,
          "rate_limited /api/launch/dbc-config": 1,
          "rate_limited /api/launch/swap": 2,
          "rate_limited unmatched": 2,
        })
      }),
    )
  })
})
