import { Api } from "@launch-registry/domain/Api"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { tokenDraft, transactionDraft } from "../Samples.ts"
import { type RequestOptions, TestServer } from "../TestServer.ts"

/** Every endpoint that the contract declares. */
const ENDPOINTS = Object.values(Api.groups).flatMap((group) =>
  Object.values(group.endpoints).map((endpoint) => ({
    name: `${group.identifier}.${endpoint.identifier}`,
    method: endpoint.method as string,
    path: endpoint.path as string,
    hasBody: endpoint.payload.size > 0,
  })),
)

const UNKNOWN_ID = "00000000-0000-7000-8000-000000000000"
const UNKNOWN_ENDPOINT = "backup-99"

/** A body that an endpoint with a path parameter takes, by its method. */
const BODIES: Readonly<Record<string, object>> = { PATCH: { status: "success" }, PUT: { reason: "a reason" } }

const refused = Effect.fn(function* (path: string, status: number, code: string, options: RequestOptions = {}) {
  const { request } = yield* TestServer
  const answer = yield* request(path, options)
  const shown = `${path} ${JSON.stringify(answer.body)}`
  assert.strictEqual(answer.status, status, shown)
  assert.strictEqual(answer.body.success, false, shown)
  assert.strictEqual(answer.body.code, code, shown)
  assert.isString(answer.body.message)
  assert.strictEqual(answer.body.requestId, answer.headers.get("x-request-id"))
  assert.notMatch(JSON.stringify(answer.body), /node_modules|at .*\.ts:|select |insert /i)
  return answer
})

const json = (raw: string): RequestOptions => ({ raw, method: "POST", headers: { "content-type": "application/json" } })

layer(TestServer.layer())("The envelope", (it) => {
  it.effect("is the answer of every endpoint to a malformed path parameter", () =>
    Effect.gen(function* () {
      for (const { method, path } of ENDPOINTS.filter(({ path }) => path.includes(":"))) {
        const options = { method, ...(BODIES[method] && { json: BODIES[method] }) }
        const { body } = yield* refused(path.replace(/:\w+/, "not-an-id"), 400, "invalid_request", options)
        assert.match(body.issues[0].path, /^path\./)
      }
    }),
  )

  it.effect("is the answer of every endpoint with a body when that is not JSON, empty, or of another type", () =>
    Effect.gen(function* () {
      for (const { method, name, path } of ENDPOINTS.filter(
        ({ hasBody, name }) => hasBody && name !== "ipfs.uploadImage",
      )) {
        const url = path.replace(":endpoint", UNKNOWN_ENDPOINT).replace(/:\w+/, UNKNOWN_ID)
        const type = { "content-type": "application/json" }
        for (const raw of ["{", "", "null", "[]", '"text"']) {
          const options = { method, raw, headers: type }
          const { body } = yield* refused(url, 400, "invalid_request", options)
          assert.match(body.issues[0].path, /^body/, name)
        }
        for (const other of [
          "text/plain",
          "application/x-www-form-urlencoded",
          "multipart/form-data; boundary=b",
          "json",
          "",
        ])
          yield* refused(url, 415, "unsupported_content_type", {
            method,
            // Bytes, because of a text fetch says that it is plain.
            raw: new TextEncoder().encode("{}"),
            headers: other === "" ? {} : { "content-type": other },
          })
        for (const coding of ["gzip", "br", "gzip, identity", "x"]) {
          const { headers } = yield* refused(url, 415, "unsupported_content_encoding", {
            ...{ method, raw: "{}", headers: { ...type, "content-encoding": coding } },
          })
          assert.strictEqual(headers.get("accept-encoding"), "identity")
        }
        yield* refused(url, 400, "invalid_request", {
          ...{ method, raw: "{", headers: { ...type, "content-encoding": "Identity" } },
        })
      }
    }),
  )

  it.effect("is the answer to unknown ids, with 404", () =>
    Effect.gen(function* () {
      yield* refused(`/api/tokens/${UNKNOWN_ID}`, 404, "not_found")
      yield* refused(`/api/tokens/${UNKNOWN_ID}`, 404, "not_found", { method: "PATCH", json: { name: "x" } })
      yield* refused(`/api/tokens/${UNKNOWN_ID}`, 404, "not_found", { method: "DELETE" })
      yield* refused("/api/tokens/mint/11111111111111111111111111111111", 404, "not_found")
      yield* refused(`/api/transactions/${UNKNOWN_ID}`, 404, "not_found")
      const status = { method: "PATCH", json: { status: "failed" } }
      yield* refused(`/api/transactions/${UNKNOWN_ID}/status`, 404, "not_found", status)
      yield* refused(`/api/transactions/${UNKNOWN_ID}`, 404, "not_found", { method: "DELETE" })
      yield* refused("/api/launch/pool/state/11111111111111111111111111111111", 404, "not_found")
    }),
  )

  it.effect("is the answer to unknown routes, with 404, and to wrong methods, with 405 and Allow", () =>
    Effect.gen(function* () {
      yield* refused("/nowhere", 404, "route_not_found")
      yield* refused("/api/tokens/a/b/c", 404, "route_not_found")
      const { headers } = yield* refused("/api/tokens", 405, "method_not_allowed", { method: "PUT" })
      assert.strictEqual(headers.get("allow"), "GET, HEAD, POST")
      yield* refused(`/api/tokens/${UNKNOWN_ID}`, 405, "method_not_allowed", { method: "POST", json: {} })
      yield* refused("/ipfs/x", 405, "method_not_allowed", { method: "POST" })
      yield* refused("/docs", 405, "method_not_allowed", { method: "DELETE" })
    }),
  )

  it.effect("names bad query parameters", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [path: string, field: string]> = [
        ["/api/tokens?launchpad=x", "launchpad"],
        ["/api/tokens?active=yes", "active"],
        ["/api/tokens?startDate=yesterday", "startDate"],
        ["/api/tokens?endDate=2026-02-31", "endDate"],
        ["/api/tokens?limit=0", "limit"],
        ["/api/tokens?limit=1001", "limit"],
        ["/api/tokens?limit=1.5", "limit"],
        ["/api/tokens?offset=-1", "offset"],
        ["/api/tokens?cursor=abc", "cursor"],
        ["/api/tokens?cursor=$", "cursor"],
        ["/api/tokens?mintAddresses=abc", "mintAddresses"],
        ["/api/tokens/search", "q"],
        ["/api/tokens/search?q=", "q"],
        ["/api/tokens/search?q=%20", "q"],
        ["/api/tokens/search?q=a&owner=b", "owner"],
        ["/api/tokens/popular?limit=101", "limit"],
        ["/api/tokens/popular?interval=2h", "interval"],
        ["/api/transactions?action=LEND", "action"],
        ["/api/transactions?status=done", "status"],
        ["/api/transactions?userAddress=x", "userAddress"],
        ["/api/transactions?chain=a%20b", "chain"],
      ]
      for (const [path, field] of cases) {
        const { body } = yield* refused(path, 400, "invalid_request")
        assert.strictEqual(body.issues[0].path, `query.${field}`, path)
      }
      for (const parameter of ["%zz", "%E0%A4%A", "x".repeat(500)]) {
        const { body } = yield* refused(`/api/tokens/${parameter}`, 400, "invalid_request")
        assert.strictEqual(body.issues[0].path, "path")
      }
      yield* refused("/api/tokens?limit=1&limit=2", 400, "invalid_request")
      yield* refused("/api/tokens/search?q=a%00b", 400, "invalid_request")
      yield* refused("/api/tokens/%00", 400, "invalid_request")
    }),
  )

  it.effect("is the answer to NUL, lone surrogates, __proto__, deep nesting and invisible characters", () =>
    Effect.gen(function* () {
      const body = JSON.stringify(tokenDraft({ description: "@" }))
      yield* refused("/api/tokens", 400, "invalid_request", json(body.replace('"@"', '"a\\u0000b"')))
      yield* refused("/api/tokens", 400, "invalid_request", json(body.replace('"@"', '"a\\ud800b"')))
      yield* refused("/api/tokens", 400, "invalid_request", json(body.replace("{", '{"__proto__":{"active":false},')))
      yield* refused("/api/tokens", 400, "invalid_request", json("[".repeat(60_000) + "]".repeat(60_000)))
      yield* refused("/api/tokens", 400, "invalid_request", { json: tokenDraft({ name: "USD\u200bC" }) })
      yield* refused("/api/tokens", 400, "invalid_request", { json: tokenDraft({ symbol: "\u202eCDSU" }) })
      yield* refused("/api/tokens", 400, "invalid_request", {
        raw: new Uint8Array([0x7b, 0xff, 0x7d]),
        headers: { "content-type": "application/json" },
      })
      yield* refused(
        "/api/transactions",
        400,
        "invalid_request",
        json(JSON.stringify(transactionDraft({ amountIn: "@" })).replace('"@"', "1e400")),
      )
      yield* refused("/api/transactions", 400, "invalid_request", { json: transactionDraft({ slippageBps: 10_001 }) })
    }),
  )

  it.effect("has CORS headers, so that browsers of any origin can send requests and read answers", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const headers = {
        origin: "https://dapp.example",
        "access-control-request-method": "PATCH",
        "access-control-request-headers": "content-type",
      }
      const preflight = yield* fetch("/api/tokens", { method: "OPTIONS", headers })
      assert.strictEqual(preflight.status, 204)
      assert.strictEqual(preflight.headers.get("access-control-allow-origin"), "*")
      assert.include(preflight.headers.get("access-control-allow-methods"), "PATCH")
    }),
  )

  it.effect("also of a body that nothing reads: it is JSON, as it is", () =>
    Effect.gen(function* () {
      for (const { method, path } of ENDPOINTS.filter(({ hasBody, method }) => !hasBody && method !== "GET")) {
        const url = path.replace(":endpoint", UNKNOWN_ENDPOINT).replace(/:\w+/, UNKNOWN_ID)
        const sent = { method, raw: "{}" }
        yield* refused(url, 415, "unsupported_content_type", { ...sent, headers: { "content-type": "text/plain" } })
        const headers = { "content-type": "application/json", "content-encoding": "gzip" }
        yield* refused(url, 415, "unsupported_content_encoding", { ...sent, headers })
        const { request } = yield* TestServer
        for (const taken of [{ method, raw: "{}", headers: { "content-type": "application/json" } }, { method }])
          assert.notStrictEqual((yield* request(url, taken)).status, 415)
      }
    }),
  )

  it.effect("has a request id of its own, behind the one of the caller when that is valid", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const ids = yield* Effect.replicateEffect(
        Effect.map(request("/api/nowhere", { headers: { "x-request-id": "trace-1" } }), ({ body }) => body.requestId),
        2,
      )
      for (const id of ids) assert.match(id, /^trace-1\.[0-9a-f-]{36}$/)
      assert.notStrictEqual(ids[0], ids[1])
      const replaced = yield* request("/api/nowhere", { headers: { "x-request-id": "a b<c>" } })
      assert.match(replaced.body.requestId, /^[0-9a-f-]{36}$/)
    }),
  )
})
