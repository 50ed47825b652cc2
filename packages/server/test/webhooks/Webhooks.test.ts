import { Busy } from "@launch-registry/domain/http/LimitErrors"
import { Unavailable } from "@launch-registry/domain/http/Unavailable"
import { crc32 } from "node:zlib"
import { assert, layer } from "@effect/vitest"
import { WebhookInbox } from "@launch-registry/domain/webhooks/WebhookInbox"
import { Effect, Layer, Redacted } from "effect"
import { TestServer } from "../../../service/test/TestServer.ts"

const [SECRET, NEXT] = ["first-secret-of-the-webhook", "second-secret-of-the-webhook"]
const PATH = "/api/webhooks/helius"
const JSON_TYPE = { "content-type": "application/json" }

/** Records deliveries; the real inbox is tested with the indexer. */
const inbox = Layer.succeed(WebhookInbox, {
  receive: (body) => {
    const text = Buffer.from(body).toString()
    if (text === "full") return Effect.fail(new Busy({ resource: "deliveries" }))
    return text === "away"
      ? Effect.fail(new Unavailable({ service: "inbox" }))
      : Effect.succeed({ accepted: body.length, unreadable: text.startsWith("sum") ? crc32(body) : 0 })
  },
})

const secrets = [SECRET, NEXT].map((secret) => Redacted.make(secret))

layer(TestServer.layer({ webhookSecrets: secrets }).pipe(Layer.provide(inbox)), { excludeTestServices: true })(
  "The webhook receiver",
  (it) => {
    it.effect("accepts a delivery with either secret, up to 32 MiB", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        for (const authorization of [SECRET, NEXT]) {
          const answer = yield* request(PATH, { raw: "[]", headers: { ...JSON_TYPE, authorization } })
          assert.strictEqual(answer.status, 200)
          assert.deepStrictEqual(answer.body, { success: true, data: { accepted: 2, unreadable: 0 } })
        }
        const large = yield* request(PATH, {
          raw: "x".repeat(20_000_000),
          headers: { ...JSON_TYPE, authorization: SECRET },
        })
        assert.strictEqual(large.body.data.accepted, 20_000_000)
      }),
    )

    it.effect("passes a delivery on byte for byte, in any number of chunks and with any other headers", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const lengths = [0, 3, 6_000, 65_536, 150_000, 400_001, 3_000_000]
        yield* Effect.forEach(
          [...lengths, ...lengths, ...lengths],
          (length, index) =>
            Effect.gen(function* () {
              const raw = Buffer.alloc(length, `${index}, of no period that pieces have; `)
              raw.write("sum")
              const answer = yield* request(PATH, { raw, headers: { ...JSON_TYPE, authorization: SECRET } })
              assert.deepStrictEqual(answer.body.data, {
                accepted: raw.length,
                unreadable: length === 0 ? 0 : crc32(raw),
              })
            }),
          { concurrency: 8 },
        )
      }),
    )

    it.effect("refuses callers without a secret, and does not say more", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        for (const headers of [
          {},
          { authorization: "" },
          { authorization: `${SECRET} ` },
          { authorization: `Bearer ${SECRET}` },
          { authorization: SECRET.slice(1) },
        ]) {
          const answer = yield* request(PATH, {
            raw: "[]",
            headers: { ...JSON_TYPE, ...(headers as Record<string, string>) },
          })
          // Trailing white space is not part of a header's value.
          const isSame = "authorization" in headers && headers.authorization?.trim() === SECRET
          assert.strictEqual(answer.status, isSame ? 200 : 401)
          if (!isSame) assert.strictEqual(answer.body.code, "unauthenticated")
          assert.notInclude(JSON.stringify(answer.body), SECRET)
        }
      }),
    )

    it.effect("takes JSON as it is, and nothing that is called something else or is compressed", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const authorization = SECRET
        for (const [headers, code] of [
          [{ "content-type": "text/plain" }, "unsupported_content_type"],
          [{ ...JSON_TYPE, "content-encoding": "gzip" }, "unsupported_content_encoding"],
        ] as const) {
          const { body, status } = yield* request(PATH, { raw: "[]", headers: { ...headers, authorization } })
          assert.deepStrictEqual([status, body.code], [415, code])
        }
      }),
    )

    it.effect("answers 503 when the inbox is full or unavailable, and all errors in the envelope", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const headers = { ...JSON_TYPE, authorization: SECRET }
        for (const [raw, code] of [
          ["full", "busy"],
          ["away", "upstream_unavailable"],
        ] as const) {
          const answer = yield* request(PATH, { raw, headers })
          assert.strictEqual(answer.status, 503)
          assert.strictEqual(answer.body.code, code)
          assert.isNotNull(answer.headers.get("retry-after"))
        }
        const tooLarge = yield* request(PATH, { raw: "x".repeat(33 * 1024 * 1024), headers })
        assert.strictEqual(tooLarge.status, 413)
        const wrong = yield* request(PATH, { method: "GET" })
        assert.strictEqual(wrong.status, 405)
        assert.strictEqual(wrong.headers.get("allow"), "POST")
      }),
    )
  },
)

layer(TestServer.layer({}).pipe(Layer.provide(inbox)), { excludeTestServices: true })(
  "Without a webhook secret",
  (it) => {
    it.effect("the receiver refuses deliveries and says why", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const answer = yield* request(PATH, { raw: "[]", headers: { authorization: "" } })
        assert.strictEqual(answer.status, 503)
        assert.strictEqual(answer.body.code, "not_configured")
        // A retry does not help: an operator has to set it.
        assert.isNull(answer.headers.get("retry-after"))
        assert.include(answer.body.message, "HELIUS_WEBHOOK_SECRET")
      }),
    )
  },
)
