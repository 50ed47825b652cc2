import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer, Redacted } from "effect"
import { IntentsStandIn } from "../../../bridge/test/IntentsStandIn.ts"
import { backendAt } from "../../../ipfs/test/filebase/BackendAt.ts"
import { CREDENTIALS, filebaseStandIn } from "../../../ipfs/test/filebase/FilebaseStandIn.ts"
import { OPTIONS as NOTIFICATIONS } from "../../../server/test/notifications/TestNotifications.ts"
import { accessOf } from "../access/TestAccess.ts"
import { POST_ENDPOINTS, samplePosts } from "../http/PostRequests.ts"
import { tokenDraft, transactionDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { valuesOf } from "./CollectorStandIn.ts"
import { RPC_KEY, Surroundings, tracedServer } from "./TracedServer.ts"

const ADMIN_KEY = "CANARY-admin-key-of-more-than-32-characters"
const INTENTS_KEY = "CANARY-key-of-the-swap-service"
const NOTIFICATIONS_SECRET = "CANARY-secret-that-signing-secrets-are-derived-from"
const COLLECTOR_KEY = "CANARY-key-of-the-collector"

/** What callers send that is secret, or may be. */
const SENT = {
  authorization: "Bearer CANARY-bearer",
  "x-api-key": "CANARY-x-api-key",
  cookie: "session=CANARY-cookie",
  "user-agent": "CANARY-user-agent",
  referer: "https://example.com/?CANARY-referer",
  baggage: "user=CANARY-baggage",
}

class Filebase extends Context.Service<Filebase, Effect.Success<typeof filebaseStandIn>>()("test/Filebase") {}

const server = Layer.unwrap(
  Effect.gen(function* () {
    const intents = yield* IntentsStandIn.make({ apiKey: INTENTS_KEY, isKeyRequired: true })
    const filebase = yield* Filebase
    return tracedServer(
      { headers: { "x-collector-key": Redacted.make(COLLECTOR_KEY) } },
      {
        access: accessOf({ adminKeys: [Redacted.make(ADMIN_KEY)] }),
        bridge: { url: intents.url, quoteKey: intents.publicKey, apiKey: Redacted.make(INTENTS_KEY) },
        ipfs: { order: ["filebase", "embedded"], backend: backendAt(filebase) },
        webhookSecrets: [Redacted.make("CANARY-webhook-secret")],
        notifications: { ...NOTIFICATIONS, masterSecrets: [Redacted.make(NOTIFICATIONS_SECRET)] },
      },
    )
  }),
).pipe(Layer.provideMerge(Layer.effect(Filebase, filebaseStandIn)))

layer(server, { excludeTestServices: true })("What is exported", (it) => {
  it.effect("has no secret of ours, and nothing of what callers send but method, path and host", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { collector } = yield* Surroundings
      const posts = yield* samplePosts({ "x-api-key": ADMIN_KEY })
      let keys = 0
      for (const { name, path } of POST_ENDPOINTS) {
        const { headers, ...sample } = posts[name]!.other()
        const key = /^(notifications|system)\./.test(name) ? { "x-api-key": ADMIN_KEY } : {}
        const sent = { ...SENT, ...key, "idempotency-key": `CANARY-idempotency-key-${++keys}`, ...headers }
        const { status } = yield* request(path, { ...sample, headers: sent })
        assert.isBelow(status, 300, name)
        yield* request(path, { json: { CANARY: "CANARY-field" }, headers: sent })
        yield* request(`${path}?CANARY=CANARY-query`, { ...sample, headers: sent })
      }
      const { body } = yield* request("/api/launch/dbc-config", posts["launch.dbcConfig"]!.send())
      // Twice, so that statements fail with what was sent.
      const drafts = { tokens: tokenDraft({ description: "CANARY-text" }), transactions: transactionDraft() }
      for (const [what, json] of Object.entries(drafts))
        for (let time = 0; time < 2; time++) yield* request(`/api/${what}`, { json, headers: SENT })
      for (const path of ["/api/tokens?limit=CANARY", "/api/tokens?search=CANARY-search", "/.env?key=CANARY-path"])
        yield* request(path, { headers: SENT })
      for (const key of [ADMIN_KEY, "CANARY-wrong-key"])
        yield* request("/api/system/rpc", { headers: { ...SENT, "x-api-key": key } })
      for (const authorization of ["CANARY-webhook-secret", "CANARY-wrong-secret"])
        yield* request("/api/webhooks/helius", { json: [{ CANARY: "CANARY-delivery" }], headers: { authorization } })
      const ofLast = () =>
        collector.spans.some(({ attributes }) =>
          String(valuesOf(attributes)["launch_registry.request_id"]).startsWith("the-last."),
        )
      yield* request("/api/tokens?limit=1", { headers: { ...SENT, "x-request-id": "the-last" } })
      yield* collector.until(() => ofLast() && collector.metrics.length > 0)

      const names = new Set(collector.spans.map(({ name }) => name))
      for (const name of ["POST /api/bridge/quote", "IntentsClient.quote", "FilebaseBackend.put", "insert tokens"])
        assert.isTrue(names.has(name), `${name} in ${[...names].join(", ")}`)
      assert.isTrue(collector.spans.some(({ attributes }) => valuesOf(attributes)["rpc.system"] === "jsonrpc"))
      assert.isTrue(collector.received.every(({ headers }) => headers["x-collector-key"] === COLLECTOR_KEY))
      const told = collector.received.map(({ body: text, path }) => `${path} ${text}`).join("\n")
      const { dbcConfigKeypair } = body.data
      const canaries = [
        ...["CANARY", RPC_KEY, CREDENTIALS.key, CREDENTIALS.secret, "api-key"],
        ...[JSON.stringify(dbcConfigKeypair), dbcConfigKeypair.secretKey ?? JSON.stringify(dbcConfigKeypair)],
        ...[drafts.tokens.mintAddress, drafts.transactions.txHash],
      ]
      for (const canary of canaries) assert.notInclude(told, canary)
    }),
  )
})
