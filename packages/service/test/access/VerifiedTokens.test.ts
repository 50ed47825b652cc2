import type { Token } from "@launch-registry/domain/tokens/Token"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { tokenSkeletons } from "../../../server/src/trust/TokenSkeletons.ts"
import { tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { adminAccess, AS_ADMIN, auditOf, keyOf, known } from "./TestAccess.ts"

const register = Effect.fn(function* (
  fields: Readonly<Record<string, unknown>> = {},
  headers: Readonly<Record<string, string>> = AS_ADMIN,
) {
  const { request } = yield* TestServer
  const { body, status } = yield* request("/api/tokens", { json: tokenDraft(fields), headers })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body.data as Token
})

const verify = (id: string, json: unknown, headers: Readonly<Record<string, string>> = AS_ADMIN) =>
  Effect.flatMap(TestServer, ({ request }) => request(`/api/tokens/${id}/verified`, { method: "PUT", json, headers }))

const mintsAt = Effect.fn(function* (path: string) {
  const { request } = yield* TestServer
  const { body, status } = yield* request(path)
  assert.strictEqual(status, 200, `${path} ${JSON.stringify(body)}`)
  return (body.data as ReadonlyArray<Token>).map(({ mintAddress }) => mintAddress as string)
})

const server = TestServer.layer({ access: adminAccess({ writeAuth: ["api-key"], keysFreshMillis: 50 }) })

layer(server, { excludeTestServices: true })("With ADMIN_KEY", (it) => {
  it.effect("a token is verified, lists show it and filter by it, its ETag changes, and the audit log says why", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const [token, other] = [yield* register(), yield* register()]
      const path = `/api/tokens/${token.id}`
      const etag = (yield* fetch(path)).headers.get("etag")!
      assert.strictEqual((yield* fetch(path, { headers: { "if-none-match": etag } })).status, 304)
      const done = yield* verify(token.id, { verified: true, reason: "known issuer" })
      assert.deepStrictEqual([done.status, done.body.data.verified], [200, true])
      assert.strictEqual((yield* fetch(path, { headers: { "if-none-match": etag } })).status, 200)
      const again = yield* verify(token.id, { verified: true })
      assert.deepStrictEqual(again.body.data, done.body.data)
      const both = `mintAddresses=${token.mintAddress},${other.mintAddress}`
      for (const list of [
        `/api/tokens?${both}&verified=`,
        "/api/tokens?limit=50&verified=",
        `/api/tokens/address/${token.owner}?verified=`,
        `/api/tokens/search?q=${token.symbol}&verified=`,
        "/api/tokens/popular?limit=100&verified=",
      ]) {
        const [verified, others] = [yield* mintsAt(`${list}true`), yield* mintsAt(`${list}false`)]
        assert.deepStrictEqual(verified, [token.mintAddress], list)
        assert.notInclude(others, token.mintAddress, list)
      }
      assert.include(yield* mintsAt("/api/tokens?limit=50&verified=false"), other.mintAddress)
      const sql = yield* SqlClient
      assert.deepStrictEqual(
        yield* sql`
          select method, route, subject, status, reason from audit_log where method = 'PUT' order by id`,
        [
          { method: "PUT", route: "/api/tokens/:id/verified", subject: token.id, status: 200, reason: "known issuer" },
          { method: "PUT", route: "/api/tokens/:id/verified", subject: token.id, status: 200, reason: null },
        ],
      )
      assert.isFalse((yield* verify(token.id, { verified: false })).body.data.verified)
      assert.deepStrictEqual(yield* mintsAt("/api/tokens?limit=50&verified=true"), [])
    }),
  )

  it.effect("nobody else verifies one, in no other way, and no bad request does", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const token = yield* register()
      const writer = yield* keyOf("write", "read")
      yield* known(writer.headers)
      assert.strictEqual((yield* verify(token.id, { verified: true }, {})).status, 401)
      assert.strictEqual((yield* verify(token.id, { verified: true }, writer.headers)).status, 403)
      assert.deepInclude((yield* auditOf(writer.id)).at(-1)!, {
        route: "/api/tokens/:id/verified",
        subject: token.id,
        status: 403,
      })
      const path = `/api/tokens/${token.id}`
      for (const headers of [AS_ADMIN, writer.headers]) {
        const patched = yield* request(path, { method: "PATCH", json: { verified: true }, headers })
        assert.strictEqual(patched.status, 400)
        const posted = yield* request("/api/tokens", { json: tokenDraft({ verified: true }), headers })
        assert.strictEqual(posted.status, 400)
      }
      for (const json of [{}, { verified: "true" }, { verified: null }, { verified: true, reason: "two\nlines" }, []])
        assert.strictEqual((yield* verify(token.id, json)).status, 400)
      const nobody = yield* verify("00000000-0000-7000-8000-000000000000", { verified: true })
      assert.deepStrictEqual([nobody.status, nobody.body.code], [404, "not_found"])
      assert.isFalse((yield* request(path)).body.data.verified)
    }),
  )

  it.effect("the mark is lost with the name, the symbol or the registration, and with nothing else", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const patch = (id: string, json: unknown) =>
        Effect.map(
          request(`/api/tokens/${id}`, { method: "PATCH", json, headers: AS_ADMIN }),
          ({ body }) => body.data.verified as boolean,
        )
      const { id, mintAddress, name, symbol } = yield* register()
      yield* verify(id, { verified: true })
      assert.isTrue(yield* patch(id, { description: "Changed", name, symbol }))
      assert.isFalse(yield* patch(id, { name: "USD Coin" }))
      yield* verify(id, { verified: true })
      assert.isFalse(yield* patch(id, { symbol: "USDC" }))
      yield* verify(id, { verified: true })
      yield* request(`/api/tokens/${id}`, { method: "DELETE", headers: AS_ADMIN })
      assert.isFalse((yield* register({ mintAddress })).verified)
    }),
  )

  it.effect("the mark is given to the name that was looked at, and not to one that the owner chose meanwhile", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { id, name, symbol } = yield* register()
      const patch = (json: unknown) => request(`/api/tokens/${id}`, { method: "PATCH", json, headers: AS_ADMIN })
      for (const [field, other] of [
        ["name", "Wrapped Bitcoin"],
        ["symbol", "WBTC"],
      ] as const) {
        yield* patch({ [field]: other })
        const refused = yield* verify(id, { verified: true, name, symbol })
        assert.deepStrictEqual([refused.status, refused.body.code], [409, "token_renamed"])
        assert.deepStrictEqual(refused.body.details, { id, name, symbol, [field]: other })
        assert.isFalse((yield* request(`/api/tokens/${id}`)).body.data.verified)
        yield* patch({ name, symbol })
      }
      assert.isTrue((yield* verify(id, { verified: true, name, symbol })).body.data.verified)
      assert.strictEqual((yield* verify(id, { verified: false, name: "x".repeat(129) })).status, 400)
    }),
  )

  it.effect("a token with a confusable name is shown with the verified one, whatever is older", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { step } = tokenSkeletons(yield* SqlClient)
      yield* Effect.repeat(step, { until: (isCompared) => isCompared })
      const impostor = yield* register({ name: "Verified Name", symbol: "VRFD" })
      const real = yield* register({ name: "Verified Name", symbol: "VRFD" })
      yield* verify(real.id, { verified: true })
      const trustOf = (id: string) =>
        Effect.map(request(`/api/tokens/${id}?include=trust`), ({ body }) => body.data.trust)
      const [found] = (yield* trustOf(impostor.id)).confusableWith
      assert.deepInclude(found, { mintAddress: real.mintAddress, fields: ["name", "symbol"], reasons: ["verified"] })
      assert.isTrue((yield* trustOf(real.id)).verified)
      yield* verify(real.id, { verified: false })
      assert.deepStrictEqual((yield* trustOf(impostor.id)).confusableWith, [])
    }),
  )
})
