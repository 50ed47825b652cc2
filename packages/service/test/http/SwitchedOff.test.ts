import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { type RequestOptions, TestServer } from "../TestServer.ts"
import { DECLARED } from "../../../http/test/DeclaredParts.ts"

const ASSET = "nep141:wrap.near"
const QUOTE = { originAsset: ASSET, destinationAsset: ASSET, amount: "1000", recipient: "a.near", refundTo: "b.near" }
const DEPOSIT = { depositAddress: "depositaddress1", txHash: "hash-of-a-transfer" }

const ID = "00000000-0000-7000-8000-000000000000"
const HOOK = "https://dapp.example/hook"

/** A request that each endpoint of a feature would accept if it were enabled. */
const REQUESTS: Readonly<Record<string, readonly [path: string, options?: RequestOptions]>> = {
  "bridge.tokens": ["/api/bridge/tokens"],
  "bridge.quote": ["/api/bridge/quote", { json: QUOTE }],
  "bridge.deposit": ["/api/bridge/deposit", { json: DEPOSIT }],
  "bridge.status": [`/api/bridge/status/${DEPOSIT.depositAddress}`],
  "bridge.swaps": ["/api/bridge/swaps"],
  "bridge.swap": [`/api/bridge/swaps/${ID}`],
  "notifications.create": ["/api/notifications/endpoints", { json: { url: HOOK, types: ["trade"] } }],
  "notifications.list": ["/api/notifications/endpoints"],
  "notifications.get": [`/api/notifications/endpoints/${ID}`],
  "notifications.update": [`/api/notifications/endpoints/${ID}`, { method: "PATCH", json: { enabled: true } }],
  "notifications.remove": [`/api/notifications/endpoints/${ID}`, { method: "DELETE" }],
  "notifications.rotateSecret": ["/api/notifications/rotate-secret", { json: { endpointId: ID } }],
  "notifications.test": ["/api/notifications/test", { json: { endpointId: ID } }],
  "notifications.messages": [`/api/notifications/endpoints/${ID}/messages`],
  "notifications.message": [`/api/notifications/messages/${ID}`],
  "notifications.redeliver": ["/api/notifications/redeliver", { json: { messageId: ID } }],
  "notifications.redeliverFailed": [
    "/api/notifications/redeliver-failed",
    { json: { endpointId: ID, since: "2026-01-01" } },
  ],
}

layer(TestServer.layer({ rpcUrl: "http://127.0.0.1:9" }), { excludeTestServices: true })(
  "A request that fails",
  (it) => {
    it.effect("because a feature is switched off gets no Retry-After", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const endpoints = DECLARED.map(({ name }) => name).filter((name) => /^(bridge|notifications)\./.test(name))
        assert.sameMembers(Object.keys(REQUESTS), endpoints)
        for (const [name, [path, options]] of Object.entries(REQUESTS)) {
          const { body, headers, status } = yield* request(path, options)
          assert.deepStrictEqual(
            [status, body.code, body.details.feature],
            [503, "not_configured", name.split(".")[0]],
            `${path} ${JSON.stringify(body)}`,
          )
          assert.isNull(headers.get("retry-after"), path)
        }
        const delivery = yield* request("/api/webhooks/helius", { raw: "[]" })
        assert.deepStrictEqual([delivery.status, delivery.body.code], [503, "not_configured"])
        assert.isNull(delivery.headers.get("retry-after"))
      }),
    )
  },
)
