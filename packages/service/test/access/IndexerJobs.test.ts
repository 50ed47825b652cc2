import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../TestServer.ts"
import { adminAccess, AS_ADMIN } from "./TestAccess.ts"

const JOBS = "/api/system/indexer/jobs"
const LETTERS = "/api/system/indexer/dead-letters"
const READS = [JOBS, LETTERS, `${LETTERS}/1-0`, "/api/system/indexer/poison"]
const BACKFILL = { kind: "backfill", fromSlot: "300000000", toSlot: "300000009", reason: "a gap" }

const ask = (path: string, json?: unknown, headers: Readonly<Record<string, string>> = AS_ADMIN) =>
  Effect.flatMap(TestServer, ({ request }) =>
    request(path, { headers, ...(json !== undefined && { method: "POST", json }) }),
  )

const cancel = (id: string, headers: Readonly<Record<string, string>> = AS_ADMIN) =>
  Effect.flatMap(TestServer, ({ request }) => request(`${JOBS}/${id}`, { method: "DELETE", headers }))

const stored = Effect.flatMap(SqlClient, (sql) => sql`select kind, state from indexer_jobs order by id`)

layer(TestServer.layer({ access: adminAccess() }), { excludeTestServices: true })("With ADMIN_KEY", (it) => {
  it.effect("jobs are queued, listed and cancelled, and the audit log says by whom and why", () =>
    Effect.gen(function* () {
      const first = yield* ask(JOBS, BACKFILL)
      assert.strictEqual(first.status, 202)
      const { requestedAt: _, ...job } = first.body.data
      assert.deepStrictEqual(job, {
        ...{ id: "1", ...BACKFILL, state: "queued", done: "0", total: null, detail: null },
        ...{ startedAt: null, endedAt: null },
      })
      assert.deepStrictEqual((yield* ask(JOBS, BACKFILL)).body.data, first.body.data)
      // Of the same slots, and another job.
      const repair = yield* ask(JOBS, { ...BACKFILL, kind: "repair", reason: "an older version proved them" })
      assert.deepInclude(repair.body.data, { id: "2", kind: "repair", fromSlot: "300000000", toSlot: "300000009" })
      yield* cancel("2")
      const replay = yield* ask(JOBS, { kind: "replay", reason: "a new version" })
      assert.deepInclude(replay.body.data, { kind: "replay", fromSlot: null, toSlot: null })
      const { data } = (yield* ask(JOBS)).body
      assert.deepStrictEqual(
        data.map(({ id }: { readonly id: string }) => id),
        ["3", "2", "1"],
      )
      assert.deepStrictEqual([data[0], data[2]], [replay.body.data, first.body.data])
      const { body } = yield* cancel("1")
      assert.deepInclude(body.data, { id: "1", state: "cancelled" })
      assert.isNotNull(body.data.endedAt)
      assert.deepStrictEqual((yield* cancel("1")).body, body)
      const missing = yield* cancel("999999999999999999")
      assert.deepStrictEqual([missing.status, missing.body.code], [404, "not_found"])

      const audit = (yield* ask("/api/system/audit?route=/api/system/indexer/jobs")).body.data
      assert.deepStrictEqual(
        audit.map(({ caller, method, reason, status }: Record<string, unknown>) => [
          (caller as { readonly id: string }).id,
          ...[method, status, reason],
        ]),
        [
          ["ADMIN_KEY", "POST", 202, "a new version"],
          ["ADMIN_KEY", "POST", 202, "an older version proved them"],
          ["ADMIN_KEY", "POST", 202, "a gap"],
          ["ADMIN_KEY", "POST", 202, "a gap"],
        ],
      )
    }),
  )

  it.effect("bad input is refused with what is wrong, and stores nothing", () =>
    Effect.gen(function* () {
      const before = yield* stored
      const reason = "a reason"
      for (const [request, path] of [
        [{ ...BACKFILL, fromSlot: "-1" }, "body.fromSlot"],
        [{ ...BACKFILL, fromSlot: 300 }, "body.fromSlot"],
        [{ ...BACKFILL, fromSlot: "007" }, "body.fromSlot"],
        [{ ...BACKFILL, toSlot: "2147483648" }, "body.toSlot"],
        [{ ...BACKFILL, toSlot: "9".repeat(5_000) }, "body.toSlot"],
        [{ ...BACKFILL, toSlot: "299999999" }, "body.toSlot"],
        [{ kind: "backfill", reason }, "body.fromSlot"],
        [{ kind: "repair", reason }, "body.fromSlot"],
        [{ ...BACKFILL, kind: "repair", toSlot: "299999999" }, "body.toSlot"],
        [{ kind: "replay" }, "body.reason"],
        [{ kind: "replay", reason: "two\nlines" }, "body.reason"],
        [{ kind: "replay", fromSlot: "1", reason }, "body.fromSlot"],
        [{ kind: "replay", toSlot: "1", reason }, "body.toSlot"],
        [{ kind: "forget-chain", reason }, "body.kind"],
        [[], "body"],
      ] as const) {
        const { body, status } = yield* ask(JOBS, request)
        assert.deepStrictEqual([status, body.code], [400, "invalid_request"], JSON.stringify(request))
        assert.strictEqual(body.issues[0].path, path, JSON.stringify(body).slice(0, 500))
        assert.isBelow(JSON.stringify(body).length, 2_000)
      }
      for (const id of ["0", "x", "1e3", "%00", "1".repeat(30)]) assert.strictEqual((yield* cancel(id)).status, 400, id)
      for (const id of ["0", "x-1", "1-", "1-0-0"]) assert.strictEqual((yield* ask(`${LETTERS}/${id}`)).status, 400, id)
      const none = yield* ask(`${LETTERS}/1-0`)
      assert.deepStrictEqual([none.status, none.body.code], [404, "not_found"])
      for (const path of READS) assert.strictEqual((yield* ask(path, undefined, {})).status, 401, path)
      for (const answer of [yield* ask(JOBS, BACKFILL, {}), yield* cancel("2", {})])
        assert.strictEqual(answer.status, 401)
      assert.deepStrictEqual(yield* stored, before)
    }),
  )

  it.effect("only so many wait at a time", () =>
    Effect.gen(function* () {
      const statuses: Array<number> = []
      for (let slot = 1; slot <= 12; slot++)
        statuses.push((yield* ask(JOBS, { kind: "backfill", fromSlot: String(slot), reason: "many" })).status)
      assert.deepStrictEqual(
        statuses.filter((status) => status !== 202),
        statuses.slice(9),
      )
      const { body } = yield* ask(JOBS, BACKFILL)
      assert.deepInclude(body, { code: "too_many", details: { resource: "indexer_jobs", limit: 10 } })
    }),
  )
})
