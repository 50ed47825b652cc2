import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"

const LISTED = "https://app.example"
const OTHER = "https://other.example"

const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" }

layer(TestServer.layer({ corsOrigins: [LISTED, "https://admin.example"] }), { excludeTestServices: true })(
  "With CORS_ORIGINS",
  (it) => {
    it.effect("only pages of these origins may read answers, errors too; content below /ipfs is open to all", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        for (const [path, options] of [
          ["/api/tokens", {}],
          ["/api/tokens", { json: tokenDraft() }],
          ["/api/nothing", {}],
          ["/ipfsx", {}],
        ] as const) {
          for (const origin of [LISTED, OTHER]) {
            const { headers } = yield* request(path, { ...options, headers: { origin } })
            assert.strictEqual(headers.get("access-control-allow-origin"), origin === LISTED ? origin : null, path)
            assert.match(headers.get("vary") ?? "", /\borigin\b/i, path)
          }
          assert.isNull((yield* request(path)).headers.get("access-control-allow-origin"), path)
        }
        const content = yield* request("/ipfs/unknown", { headers: { origin: OTHER } })
        assert.strictEqual(content.headers.get("access-control-allow-origin"), "*")
      }),
    )

    it.effect("a preflight is answered for these origins, with the headers that it asks for", () =>
      Effect.gen(function* () {
        const { fetch } = yield* TestServer
        const headersFor = (origin: string) =>
          Effect.map(
            fetch("/api/tokens", { method: "OPTIONS", headers: { origin, ...preflight } }),
            ({ headers }) => headers,
          )
        const listed = yield* headersFor(LISTED)
        assert.strictEqual(listed.get("access-control-allow-origin"), LISTED)
        assert.strictEqual(listed.get("access-control-allow-headers"), "authorization")
        assert.isNull((yield* headersFor(OTHER)).get("access-control-allow-origin"))
      }),
    )
  },
)
