import { readFileSync } from "node:fs"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { IntentsStandIn } from "../../../bridge/test/IntentsStandIn.ts"
import { OPTIONS as NOTIFICATIONS } from "../../../server/test/notifications/TestNotifications.ts"
import { type RequestOptions, TestServer } from "../TestServer.ts"
import { accessOf } from "../access/TestAccess.ts"
import { newKey, POST_ENDPOINTS, samplePosts } from "./PostRequests.ts"

const KEY = "an-admin-key-of-more-than-32-characters"
const AS_ADMIN = { "x-api-key": KEY }

const server = Layer.unwrap(
  Effect.map(IntentsStandIn.make(), (standIn) =>
    TestServer.layer({
      bridge: { url: standIn.url, quoteKey: standIn.publicKey },
      access: accessOf({ adminKeys: [Redacted.make(KEY)] }),
      notifications: NOTIFICATIONS,
    }),
  ),
)

/** Rows of every table that a POST writes. */
const rowCounts = Effect.gen(function* () {
  const sql = yield* SqlClient
  const tables = yield* sql<{ readonly name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public'
      and table_name not in ('bridge_upstream', 'audit_log')`
  const counts = yield* Effect.forEach(tables, ({ name }) =>
    Effect.map(sql<{ readonly rows: bigint }>`select count(*) as rows from ${sql(name)}`, ([row]) => [
      name,
      Number(row!.rows),
    ]),
  )
  return Object.fromEntries(counts) as Readonly<Record<string, number>>
})

/** The exact bytes of an answer. */
const answered = (path: string, { headers, json, method = "POST", raw }: RequestOptions) =>
  Effect.flatMap(TestServer, ({ fetch }) => {
    const type = json === undefined ? {} : { "content-type": "application/json" }
    const body = raw ?? JSON.stringify(json)
    return Effect.flatMap(fetch(path, { method, body, headers: { ...type, ...AS_ADMIN, ...headers } }), (response) =>
      Effect.map(
        Effect.promise(() => response.text()),
        (text) => ({ status: response.status, headers: response.headers, text }),
      ),
    )
  })

/** The answer of a retry: what is secret is answered once. */
const withoutSecret = (text: string): unknown => {
  const { data, success } = JSON.parse(text)
  const { secret, dbcConfigKeypair: { secretKey, ...publicKey } = {}, ...others } = data ?? {}
  if (secret === undefined && secretKey === undefined) return JSON.parse(text)
  return { success, data: { ...others, ...(secretKey === undefined ? {} : { dbcConfigKeypair: publicKey }) } }
}

/** Operations whose first answer has a secret. */
const WITH_SECRET = ["launch.create", "launch.dbcConfig", "notifications.create", "notifications.rotateSecret"]

const KEPT_HEADERS = ["content-type", "location", "cache-control"]

layer(server, { excludeTestServices: true })("Every POST", (it) => {
  it("declares a secret of its answer as one that a replay does not have", () => {
    const document = JSON.parse(readFileSync("openapi.json", "utf8")) as object
    const found: Array<string> = []
    const look = (value: unknown, path: string): void => {
      if (typeof value !== "object" || value === null) return
      const { properties, required = [] } = value as { properties?: object; required?: ReadonlyArray<string> }
      for (const name of Object.keys(properties ?? {}))
        if (/secret(key)?$/i.test(name) && required.includes(name)) found.push(`${path}.${name}`)
      for (const [key, inner] of Object.entries(value)) look(inner, `${path}.${key}`)
    }
    look((document as { components: object }).components, "components")
    // What a request sends.
    assert.deepStrictEqual(found, ["components.schemas.MintKeypair.secretKey"])
  })

  it.effect("that is repeated with its Idempotency-Key is done once and gets the same answer", () =>
    Effect.gen(function* () {
      const posts = yield* samplePosts(AS_ADMIN)
      assert.sameMembers(
        POST_ENDPOINTS.map(({ name }) => name),
        Object.keys(posts),
      )
      for (const { name, path } of POST_ENDPOINTS) {
        const { other, send } = posts[name]!
        const headers = newKey()
        const first = yield* answered(path, { ...send(), headers })
        assert.include([200, 201, 202], first.status, `${name} ${first.text}`)
        assert.isNull(first.headers.get("idempotency-replayed"), name)
        const rows = yield* rowCounts
        for (const again of [
          yield* answered(path, { ...send(), headers }),
          yield* answered(path, { ...send(), headers }),
        ]) {
          if (WITH_SECRET.includes(name)) {
            assert.notMatch(again.text, /"secret(Key)?"/, name)
            assert.deepInclude(JSON.parse(again.text), withoutSecret(first.text), name)
          } else assert.strictEqual(again.text, first.text, name)
          assert.strictEqual(again.status, first.status, name)
          assert.strictEqual(again.headers.get("idempotency-replayed"), "true", name)
          for (const header of KEPT_HEADERS)
            assert.strictEqual(again.headers.get(header), first.headers.get(header), `${name} ${header}`)
        }
        assert.deepStrictEqual(yield* rowCounts, rows, name)
        const refused = yield* answered(path, { ...other(), headers })
        assert.strictEqual(refused.status, 422, name)
        assert.strictEqual(JSON.parse(refused.text).code, "idempotency_key_reused", name)
        assert.deepStrictEqual(yield* rowCounts, rows, name)
      }
    }),
  )

  it.effect("refuses a malformed Idempotency-Key before anything is done", () =>
    Effect.gen(function* () {
      const posts = yield* samplePosts(AS_ADMIN)
      const rows = yield* rowCounts
      for (const { name, path } of POST_ENDPOINTS)
        for (const key of ["", "with space", "k".repeat(256), "schlüssel", "a\tb"]) {
          const answer = yield* answered(path, { ...posts[name]!.send(), headers: { "idempotency-key": key } })
          assert.strictEqual(answer.status, 400, `${name} ${JSON.stringify(key)} ${answer.text}`)
          const { code, issues } = JSON.parse(answer.text)
          assert.deepStrictEqual([code, issues[0].path], ["invalid_request", "headers.idempotency-key"], name)
        }
      assert.deepStrictEqual(yield* rowCounts, rows)
    }),
  )

  it.effect("stores nothing about keys when it has none", () =>
    Effect.gen(function* () {
      const posts = yield* samplePosts(AS_ADMIN)
      const { idempotent_requests: before } = yield* rowCounts
      for (const { name, path } of POST_ENDPOINTS) {
        const answer = yield* answered(path, posts[name]!.send())
        assert.isBelow(answer.status, 300, `${name} ${answer.text}`)
      }
      assert.strictEqual((yield* rowCounts)["idempotent_requests"], before)
    }),
  )

  it.effect("shares one namespace of keys: the key of one endpoint is refused by another", () =>
    Effect.gen(function* () {
      const posts = yield* samplePosts(AS_ADMIN)
      const headers = newKey()
      yield* answered("/api/launch/whitelist", { ...posts["launch.whitelist"]!.send(), headers })
      const other = yield* answered("/api/launch/unwhitelist", { ...posts["launch.whitelist"]!.send(), headers })
      assert.strictEqual(other.status, 422)
    }),
  )

  it.effect("leaves the key free when it fails, for the same body and for another", () =>
    Effect.gen(function* () {
      const posts = yield* samplePosts(AS_ADMIN)
      const { idempotent_requests: before } = yield* rowCounts
      for (const { hasForm, name, path } of POST_ENDPOINTS) {
        const headers = newKey()
        const wrong = hasForm ? { raw: new FormData() } : { json: {} }
        const failed = yield* answered(path, { ...wrong, headers })
        assert.strictEqual(failed.status, 400, `${name} ${failed.text}`)
        assert.strictEqual((yield* rowCounts)["idempotent_requests"], before, name)
      }
      const { path } = POST_ENDPOINTS.find(({ name }) => name === "tokens.create")!
      const headers = newKey()
      const { json } = posts["tokens.create"]!.send() as { json: object }
      assert.strictEqual((yield* answered(path, { json: { ...json, decimals: 99 }, headers })).status, 400)
      assert.strictEqual((yield* answered(path, { json, headers })).status, 201)
      // A refusal that depends on stored data is not stored either.
      const late = newKey()
      for (const status of [409, 409])
        assert.strictEqual((yield* answered(path, { json, headers: late })).status, status)
    }),
  )

  it.effect("tells browsers that an answer is a replay", () =>
    Effect.gen(function* () {
      const { fetch } = yield* TestServer
      const asked = { "access-control-request-method": "POST", "access-control-request-headers": "idempotency-key" }
      const preflight = yield* fetch("/api/tokens", {
        method: "OPTIONS",
        headers: { origin: "https://d.app", ...asked },
      })
      assert.include(preflight.headers.get("access-control-allow-headers"), "idempotency-key")
      const answer = yield* fetch("/api/tokens", { headers: { origin: "https://d.app" } })
      assert.include(answer.headers.get("access-control-expose-headers"), "idempotency-replayed")
    }),
  )
})
