import { assert, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { tokenDraft, transactionDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { ADMIN_KEY as KEY, adminAccess, AS_ADMIN } from "./TestAccess.ts"

layer(TestServer.layer(), { excludeTestServices: true })("Without WRITE_AUTH", (it) => {
  it.effect("no credential is asked for or looked at, and nothing is written of callers", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      for (const headers of [{}, { authorization: "Bearer nonsense" }, { authorization: "Solana nonsense" }]) {
        const created = yield* request("/api/tokens", { json: tokenDraft(), headers })
        assert.strictEqual(created.status, 201)
        const { mintAddress, id } = created.body.data
        const listing = yield* request("/api/launch/whitelist", { json: { tokenAddress: mintAddress }, headers })
        assert.strictEqual(listing.status, 200)
        assert.strictEqual((yield* request(`/api/tokens/${id}`, { method: "DELETE", headers })).status, 200)
        assert.strictEqual((yield* request("/api/system/rpc", { headers })).status, 200)
        assert.notInclude(created.headers.get("access-control-expose-headers"), "www-authenticate")
      }
      assert.lengthOf(yield* sql`select from audit_log`, 0)
      assert.lengthOf(yield* sql`select from idempotent_requests where operation = 'nonce'`, 0)
    }),
  )

  it.effect("nobody has the routes of operators", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const { id } = (yield* request("/api/tokens", { json: tokenDraft() })).body.data
      const reason = "a stranger's"
      const jobs = "/api/system/indexer/jobs"
      for (const [method, path, json] of [
        ["PUT", "/api/system/rpc/primary/cordon", { reason }],
        ["DELETE", "/api/system/rpc/backup/cordon", undefined],
        ["PUT", `/api/tokens/${id}/verified`, { verified: true }],
        ["POST", jobs, { kind: "replay", reason }],
        ["DELETE", `${jobs}/1`, undefined],
        ...["audit", "indexer/jobs", "indexer/dead-letters", "indexer/dead-letters/1-0", "indexer/poison"].map(
          (name) => ["GET", `/api/system/${name}`, undefined] as const,
        ),
      ] as const)
        for (const headers of [{}, AS_ADMIN]) {
          const refused = yield* request(path, { method, headers, json })
          assert.deepStrictEqual([refused.status, refused.body.code], [503, "not_configured"], path)
          assert.isNull(refused.headers.get("retry-after"))
        }
      assert.isFalse((yield* request(`/api/tokens/${id}`)).body.data.verified)
      const sql = yield* SqlClient
      assert.deepStrictEqual(yield* sql`select cordons from indexer_progress`, [{ cordons: {} }])
      for (const table of ["indexer_jobs", "audit_log"]) assert.lengthOf(yield* sql`select from ${sql(table)}`, 0)
    }),
  )

  it.effect("what operators read is for no page of another origin", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const origin = "https://other.example"
      const preflight = { "access-control-request-method": "POST", "access-control-request-headers": "authorization" }
      const asked = { origin, ...preflight }
      const system = ["rpc", "indexer", "indexer/jobs", "indexer/dead-letters", "indexer/poison", "audit"]
      for (const path of ["/metrics", "/livez", "/readyz", ...system.map((name) => `/api/system/${name}`)])
        for (const method of ["GET", "HEAD", "OPTIONS"]) {
          const { headers } = yield* fetch(path, { method, headers: asked })
          for (const name of headers.keys()) assert.notMatch(name, /^access-control-/, `${method} ${path}`)
        }
      assert.strictEqual((yield* fetch("/", { headers: { origin } })).headers.get("access-control-allow-origin"), "*")
    }),
  )
})

const guarded = TestServer.layer({
  access: adminAccess({ adminKeys: [KEY, `${KEY}-2`].map((key) => Redacted.make(key)) }),
})

layer(guarded, { excludeTestServices: true })("With ADMIN_KEY alone", (it) => {
  it.effect("the system routes need it, and writes are open", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      for (const path of ["/api/system/rpc", "/api/system/indexer"]) {
        const refused = yield* request(path)
        assert.deepStrictEqual([refused.status, refused.body.code], [401, "unauthenticated"])
        for (const wrong of [`${KEY}x`, KEY.slice(1), ""])
          assert.strictEqual((yield* request(path, { headers: { "x-api-key": wrong } })).status, 401)
        for (const key of [KEY, `${KEY}-2`])
          assert.strictEqual((yield* request(path, { headers: { "x-api-key": key } })).status, 200)
        assert.strictEqual((yield* request(path, { headers: { authorization: `Bearer ${KEY}` } })).status, 200)
      }
      for (const path of ["/", "/livez", "/readyz", "/api/tokens", "/api/ipfs/health"])
        assert.strictEqual((yield* request(path)).status, 200, path)
      assert.strictEqual((yield* request("/api/transactions", { json: transactionDraft() })).status, 201)
    }),
  )
})
