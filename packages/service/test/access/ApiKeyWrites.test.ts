import { assert, layer } from "@effect/vitest"
import { apiKeyStatements } from "@launch-registry/server/access/ApiKeys"
import { requiredAccess } from "@launch-registry/domain/access/RequiredAccess"
import { Api } from "@launch-registry/domain/Api"
import { Effect, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { newKey } from "../http/PostRequests.ts"
import { tokenDraft, transactionDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { accessOf, auditOf, keyOf, known } from "./TestAccess.ts"

const endpoints = Object.values(Api.groups).flatMap((group) => Object.values(group.endpoints))
const NO_ID = "00000000-0000-7000-8000-000000000000"

const server = TestServer.layer({ access: accessOf({ writeAuth: ["api-key"], keysFreshMillis: 50 }) })

layer(server, { excludeTestServices: true })("With WRITE_AUTH=api-key", (it) => {
  it.effect("everything that writes, and no other read than those of operators, is refused without a key", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      let refused = 0
      for (const endpoint of endpoints) {
        const level = requiredAccess(endpoint)
        const path = endpoint.path.replaceAll(/:\w+/g, NO_ID)
        // A stream does not end, so it is asked for in a way that it refuses.
        const response = yield* fetch(`${path}?undeclared=1`, { method: endpoint.method })
        const text = yield* Effect.promise(() => response.text())
        const isRefused = response.status === 401
        assert.strictEqual(isRefused, level !== "open", `${endpoint.method} ${endpoint.path}`)
        if (!isRefused) continue
        refused += 1
        assert.strictEqual(JSON.parse(text).code, "unauthenticated")
        assert.strictEqual(response.headers.get("www-authenticate"), "Bearer")
      }
      assert.isAtLeast(refused, 16)
      // Webhooks have a secret of their own, and what is no endpoint of the API is left to the network.
      const others = ["/api/webhooks/helius", "/metrics", "/ipfs/unknown", "/docs", "/openapi.json"]
      for (const path of others) {
        const response = yield* fetch(path, path.startsWith("/api/") ? { method: "POST", body: "[]" } : {})
        yield* Effect.promise(() => response.arrayBuffer())
        assert.notInclude([401, 403], response.status, path)
      }
    }),
  )

  it.effect(
    "no stranger registers a mint, deletes a token, fails a record or unwhitelists; keys do what their scope says",
    () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const [writer, reader, admin] = [yield* keyOf("write"), yield* keyOf("read"), yield* keyOf("admin")]
        yield* known(admin.headers)
        const { headers } = writer
        const draft = tokenDraft()
        const phishing = { json: { ...draft, website: "https://phishing.example" } }
        const registering = yield* request("/api/tokens", phishing)
        assert.deepStrictEqual([registering.status, registering.body.code], [401, "unauthenticated"])
        assert.strictEqual((yield* request(`/api/tokens/mint/${draft.mintAddress}`)).status, 404)

        const { id } = (yield* request("/api/tokens", { json: draft, headers })).body.data
        const record = (yield* request("/api/transactions", { json: transactionDraft(), headers })).body.transaction
        const tokenAddress = { tokenAddress: draft.mintAddress }
        const attacks = [
          [`/api/tokens/${id}`, { method: "PATCH", json: { website: phishing.json.website } }],
          [`/api/tokens/${id}`, { method: "DELETE" }],
          [`/api/transactions/${record.id}/status`, { method: "PATCH", json: { status: "failed" } }],
          [`/api/transactions/${record.id}`, { method: "DELETE" }],
          ["/api/launch/unwhitelist", { json: tokenAddress }],
          ["/api/launch/whitelist", { json: tokenAddress }],
        ] as const
        for (const [path, options] of attacks) {
          assert.strictEqual((yield* request(path, options)).status, 401, path)
          const reading = yield* request(path, { ...options, headers: reader.headers })
          assert.deepStrictEqual([reading.status, reading.body.code], [403, "forbidden"], path)
        }
        for (const [path, options] of attacks.slice(4))
          assert.strictEqual((yield* request(path, { ...options, headers })).status, 403, path)
        assert.deepInclude((yield* request(`/api/tokens/${id}`)).body.data.metadata, { website: "" })
        assert.strictEqual((yield* request(`/api/transactions/${record.id}`)).body.transaction.status, "pending")
        assert.lengthOf(yield* (yield* SqlClient)`select from token_whitelist`, 0)

        for (const [path, options] of attacks.slice(4))
          assert.strictEqual((yield* request(path, { ...options, headers: admin.headers })).status, 200, path)
        const failed = yield* request(attacks[2][0], { ...attacks[2][1], headers })
        assert.strictEqual(failed.body.transaction.status, "failed")
        assert.strictEqual((yield* request(attacks[1][0], { ...attacks[1][1], headers: admin.headers })).status, 200)
      }),
  )

  it.effect("the system routes are read with the scope read or admin, and written with admin", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const [writer, reader, admin] = [yield* keyOf("write"), yield* keyOf("read"), yield* keyOf("admin")]
      yield* known(reader.headers)
      const statuses = (path: string, options = {}) =>
        Effect.forEach([{}, writer.headers, reader.headers, admin.headers], (headers) =>
          Effect.map(request(path, { ...options, headers }), ({ status }) => status),
        )
      const indexer = ["jobs", "dead-letters", "poison"].map((name) => `/api/system/indexer/${name}`)
      for (const path of ["/api/system/rpc", "/api/system/indexer", ...indexer])
        assert.deepStrictEqual(yield* statuses(path), [401, 403, 200, 200], path)
      const job = { json: { kind: "replay", reason: "a new version" } }
      assert.deepStrictEqual(yield* statuses(indexer[0]!, job), [401, 403, 403, 202])
      assert.deepStrictEqual(yield* statuses(`${indexer[0]}/1`, { method: "DELETE" }), [401, 403, 403, 200])
    }),
  )

  it.effect("a key is taken from either header; a wrong, expired or revoked one is refused", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      const keys = apiKeyStatements(sql)
      const [one, expired, old] = [yield* keyOf("read"), yield* keyOf("read"), yield* keyOf("read")]
      yield* sql`update api_keys set expires_at = now() - interval '1 second' where id = ${expired.id}`
      const rotated = (yield* keys.rotate(old.id, 24))!
      assert.isUndefined(yield* keys.rotate(expired.id, 24))
      yield* known(one.headers)
      const statusOf = (headers: Readonly<Record<string, string>>) =>
        Effect.map(request("/api/system/rpc", { headers }), ({ status }) => status)
      assert.strictEqual(yield* statusOf({ "x-api-key": one.text }), 200)
      assert.strictEqual(yield* statusOf({ authorization: `bearer ${one.text}` }), 200)
      assert.strictEqual(yield* statusOf({ "x-api-key": Redacted.value(rotated.text) }), 200)
      assert.strictEqual(yield* statusOf(old.headers), 200, "within the overlap")
      const otherSecret = `trk_${one.id}_${old.text.slice(-43)}`
      for (const wrong of [expired.text, otherSecret, one.text.slice(0, -1), `${one.text}x`, "trk_", "x".repeat(8_000)])
        assert.strictEqual(yield* statusOf({ "x-api-key": wrong }), 401, wrong.slice(0, 80))
      for (const authorization of [one.text, `Basic ${one.text}`, "Bearer", "Bearer ", `Solana ${one.text}`])
        assert.strictEqual(yield* statusOf({ authorization }), 401, authorization)

      assert.isTrue(yield* keys.revoke(one.id))
      yield* statusOf(one.headers).pipe(
        Effect.filterOrFail((status) => status === 401),
        Effect.retry(Schedule.spaced("50 millis")),
      )
    }),
  )

  it.effect("nobody gets the stored answer of another's Idempotency-Key", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const [one, other] = [yield* keyOf("write", "read"), yield* keyOf("write", "read")]
      yield* known(other.headers)
      const [key, draft] = [newKey(), transactionDraft()]
      const send = (headers: object, json = draft) =>
        request("/api/transactions", { json, headers: { ...key, ...headers } })
      const first = yield* send(one.headers)
      const [again, others] = [yield* send(one.headers), yield* send(other.headers, transactionDraft())]
      assert.deepStrictEqual([first.status, again.body], [201, first.body])
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.isNull(others.headers.get("idempotency-replayed"))
      assert.notStrictEqual(others.body.transaction.id, first.body.transaction.id)
      assert.strictEqual((yield* send({})).status, 401)
    }),
  )

  it.effect("a key that replaces another one continues its Idempotency-Keys, and no other key of the name", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const keys = apiKeyStatements(yield* SqlClient)
      const old = yield* keyOf("write", "read")
      const made = (yield* keys.rotate((yield* keys.rotate(old.id, 24))!.id, 24))!
      const namesake = yield* keyOf("write", "read")
      const rotated = { authorization: `Bearer ${Redacted.value(made.text)}` }
      yield* known(namesake.headers)
      const [key, json] = [newKey(), transactionDraft()]
      const send = (headers: object) => request("/api/transactions", { json, headers: { ...key, ...headers } })
      const first = yield* send(old.headers)
      const again = yield* send(rotated)
      assert.deepStrictEqual([first.status, again.body], [201, first.body])
      assert.strictEqual(again.headers.get("idempotency-replayed"), "true")
      assert.isNull((yield* send(namesake.headers)).headers.get("idempotency-replayed"))
      // Each of them is told from the other in the audit log.
      assert.lengthOf(yield* auditOf(made.id), 1)
    }),
  )
})
