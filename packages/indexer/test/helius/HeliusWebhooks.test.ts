import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Layer, Redacted } from "effect"
import { HeliusWebhooks } from "../../src/helius/HeliusWebhooks.ts"
import { desiredWebhook, driftOf, type FoundWebhook, hasUrlOf } from "../../src/helius/Webhook.ts"
import { assertNoCanary, SECRET } from "./Canaries.ts"
import { API_KEY, type FakeHelius, fakeHelius } from "./FakeHelius.ts"

const DESIRED = desiredWebhook({
  publicUrl: "https://api.example.com",
  network: "mainnet",
  secret: Redacted.make(SECRET),
})

const clientOf = (helius: FakeHelius, apiKey = API_KEY) =>
  Effect.gen(function* () {
    return yield* HeliusWebhooks
  }).pipe(Effect.provide(Layer.fresh(HeliusWebhooks.layer({ apiUrl: helius.url, apiKey: Redacted.make(apiKey) }))))

const asFound = (changes: Partial<FoundWebhook> = {}): FoundWebhook => ({ webhookID: "1", ...DESIRED, ...changes })

describe("The webhooks of an account", () => {
  it.effect("are created, found, changed, enabled and deleted", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const webhooks = yield* clientOf(helius)
      assert.deepStrictEqual(yield* webhooks.list, [])
      const { webhookID } = yield* webhooks.create(DESIRED)
      const found = yield* webhooks.get(webhookID)
      assert.deepStrictEqual(driftOf(DESIRED, found), [])
      assertNoCanary(found, yield* webhooks.list)
      yield* webhooks.update(webhookID, { ...DESIRED, webhookType: "rawDevnet" })
      yield* webhooks.toggle(webhookID, false)
      assert.deepInclude(yield* webhooks.get(webhookID), { webhookType: "rawDevnet", active: false })
      yield* webhooks.delete(webhookID)
      assert.deepStrictEqual(yield* webhooks.list, [])
      assert.strictEqual((yield* Effect.flip(webhooks.get(webhookID))).status, 404)
    }),
  )

  it.effect("fail as refused or unavailable, without key, secret, address or body in the error", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const webhooks = yield* clientOf(helius)
      const failuresOf = function* () {
        for (const call of [webhooks.list, webhooks.create(DESIRED), webhooks.update("1", DESIRED)]) {
          const exit = yield* Effect.exit(call)
          if (Exit.isSuccess(exit)) return assert.fail("It succeeded")
          assertNoCanary(exit, Cause.pretty(exit.cause), Cause.squash(exit.cause))
          const error = Cause.squash(exit.cause) as { readonly _tag: string; readonly message: string }
          assert.notInclude(error.message, helius.url)
          assert.strictEqual(error._tag, expected)
        }
      }
      let expected = "HeliusRefused"
      for (const status of [400, 401, 402, 403, 404, 405, 413, 422]) {
        helius.failNext(3, status)
        yield* Effect.gen(failuresOf)
      }
      expected = "HeliusUnavailable"
      for (const trouble of [301, 302, 307, 408, 425, 429, 500, 502, 503, 504, "cut"] as const) {
        helius.failNext(3, trouble)
        yield* Effect.gen(failuresOf)
      }
      const gone = yield* clientOf(Object.assign(Object.create(helius), { url: "http://127.0.0.1:9" }))
      const error = yield* Effect.flip(gone.list)
      assert.deepInclude(error, { _tag: "HeliusUnavailable", reason: "network" })
      assertNoCanary(error)
    }),
  )

  it.effect("are unavailable when the answer is not as documented", () =>
    Effect.gen(function* () {
      const helius = yield* fakeHelius
      const webhooks = yield* clientOf(helius)
      helius.failNext(1, "html")
      assert.deepInclude(yield* Effect.flip(webhooks.list), { reason: "malformed" })
      for (const changes of [
        { webhookID: "" },
        { accountAddresses: "all" },
        { active: "yes" },
        { authHeader: { secret: SECRET } },
      ]) {
        helius.webhooks = []
        helius.add({ ...DESIRED, authHeader: SECRET, active: true })
        helius.change(changes as never)
        const error = yield* Effect.flip(webhooks.list)
        assert.deepInclude(error, { _tag: "HeliusUnavailable", reason: "malformed" })
        assertNoCanary(error)
      }
    }),
  )
})

describe("The webhook of this service", () => {
  it("is one of its URL, in any spelling", () => {
    const has = (webhookURL: string) => hasUrlOf(DESIRED, asFound({ webhookURL }))
    assert.isTrue(has("https://API.example.com:443/api/webhooks/helius"))
    assert.isFalse(has("https://api.example.com/api/webhooks/helius/2"))
    assert.isFalse(has("http://api.example.com/api/webhooks/helius"))
    assert.isFalse(has("no url"))
  })
})
