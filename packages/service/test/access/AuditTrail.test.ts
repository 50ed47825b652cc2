import { assert, layer } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { accessOf, auditOf, keyOf, known } from "./TestAccess.ts"

const NO_ID = "00000000-0000-7000-8000-000000000000"

const server = TestServer.layer({ access: accessOf({ writeAuth: ["api-key"], keysFreshMillis: 50 }) })

layer(server, { excludeTestServices: true })("The audit log", (it) => {
  it.effect("has what a write was about, also if its client did not wait for the answer", () =>
    Effect.gen(function* () {
      const { url } = yield* TestServer
      const sql = yield* SqlClient
      const writer = yield* keyOf("write", "read")
      yield* known(writer.headers)
      const draft = tokenDraft()
      const headers = { ...writer.headers, "content-type": "application/json" }
      const leave = new AbortController()
      const send = (path: string, init: RequestInit) =>
        fetch(`${url}${path}`, { ...init, headers, signal: leave.signal }).catch(() => undefined)
      const rows = (count: number) =>
        auditOf(writer.id).pipe(
          Effect.filterOrFail(({ length }) => length === count),
          Effect.retry(Schedule.spaced("20 millis")),
        )
      const subjects = auditOf(writer.id).pipe(Effect.map((found) => found.map(({ subject }) => subject)))
      // No write gets beyond the lock, so that each is in flight when its client leaves.
      yield* Effect.gen(function* () {
        yield* sql`lock table tokens in access exclusive mode`
        void send("/api/tokens", { method: "POST", body: JSON.stringify(draft) })
        yield* rows(1)
        void send(`/api/tokens/${NO_ID}`, { method: "DELETE" })
        yield* rows(2)
        assert.strictEqual((yield* subjects)[1], NO_ID)
        // The body of the first has been read once its statement waits for the lock.
        const waiting = (count: number) =>
          sql`
            select from pg_locks where not granted and relation = 'tokens'::regclass
              and database = (select oid from pg_database where datname = current_database())`.pipe(
            Effect.filterOrFail(({ length }) => length === count),
            Effect.retry(Schedule.spaced("20 millis")),
          )
        yield* waiting(2)
        leave.abort()
        yield* waiting(0)
      }).pipe(sql.withTransaction)
      yield* subjects.pipe(
        Effect.filterOrFail(([first]) => first === draft.mintAddress),
        Effect.retry(Schedule.spaced("20 millis")),
      )
    }),
  )

  it.effect("has every write of a key, refused ones too, and nothing of keys and bodies", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const sql = yield* SqlClient
      const writer = yield* keyOf("write", "read")
      const { headers } = writer
      yield* known(headers)
      const draft = tokenDraft({ description: "CANARY" })
      const { id } = (yield* request("/api/tokens", { json: draft, headers })).body.data
      yield* request("/api/tokens", { json: draft, headers })
      yield* request(`/api/tokens/${id}`, { method: "PATCH", json: { nonsense: 1 }, headers })
      yield* request("/api/launch/whitelist", { json: { tokenAddress: draft.mintAddress }, headers })
      yield* request(`/api/tokens/${id}`, { method: "DELETE", headers })
      yield* request(`/api/tokens/${id}`, { method: "DELETE" })
      const nul = yield* request("/api/tokens/%00", { method: "DELETE", headers })
      assert.deepStrictEqual([nul.status, nul.body.code], [400, "invalid_request"])
      assert.deepStrictEqual(yield* auditOf(writer.id), [
        { method: "POST", route: "/api/tokens", subject: draft.mintAddress, status: 201 },
        { method: "POST", route: "/api/tokens", subject: draft.mintAddress, status: 409 },
        { method: "PATCH", route: "/api/tokens/:id", subject: id, status: 400 },
        { method: "POST", route: "/api/launch/whitelist", subject: null, status: 403 },
        { method: "DELETE", route: "/api/tokens/:id", subject: id, status: 200 },
        { method: "DELETE", route: "/api/tokens/:id", subject: "\ufffd", status: 400 },
      ])
      const [row] = yield* sql<{ readonly text: string }>`
        select (select json_agg(a)::text from audit_log a) || (select json_agg(k)::text from api_keys k) as text`
      assert.notInclude(row!.text, "CANARY")
      assert.notInclude(row!.text, writer.text.slice(-43))
      const [used] = yield* sql<{ readonly lastUsedAt: Date | null }>`
        select last_used_at from api_keys where id = ${writer.id}`
      assert.isNotNull(used!.lastUsedAt)
    }),
  )
})
