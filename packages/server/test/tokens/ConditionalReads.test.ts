import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Schema } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { examples } from "../../../../scripts/Laws.ts"
import { SOL, transactionDraft, tokenDraft } from "../../../service/test/Samples.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { create } from "./TokenRequests.ts"

/** What can happen to a token between two reads. Only the first moves its updatedAt, and only if the clock moves. */
const Step = Schema.Literals(["change", "change its configuration alone", "delete and register again", "nothing"])
const Steps = Schema.Array(Step).check(Schema.isMinLength(1), Schema.isMaxLength(5))

const registration = () => tokenDraft({ tokenConfig: { quoteMint: SOL, dbcConfig: { buildCurveMode: 1 } } })

const read = Effect.fnUntraced(function* (path: string, ifNoneMatch?: string) {
  const { fetch } = yield* TestServer
  const response = yield* fetch(path, ifNoneMatch === undefined ? {} : { headers: { "if-none-match": ifNoneMatch } })
  const text = yield* Effect.promise(() => response.text())
  return { status: response.status, etag: response.headers.get("etag")!, text }
})

layer(TestServer.layer(), { timeout: "60 seconds" })("A read with If-None-Match", (it) => {
  it.effect.prop(
    "is answered 304 for what the resource is now, and for nothing that it was before",
    { steps: Steps },
    ({ steps }) =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        const sql = yield* SqlClient
        const draft = registration()
        const register = Effect.map(request("/api/tokens", { json: draft }), ({ body }) => String(body.data.id))
        let id = yield* register
        const seen = new Map<string, string>()
        for (const [at, step] of [...steps.entries(), [steps.length, "nothing"] as const]) {
          if (step === "change")
            yield* request(`/api/tokens/${id}`, { method: "PATCH", json: { description: `Changed ${at % 3}` } })
          else if (step === "change its configuration alone")
            yield* sql`
              update tokens set dbc_config = jsonb_set(dbc_config, '{leftover}', to_jsonb(${String(at + 1)}::text))
              where id = ${id}::uuid`
          else if (step === "delete and register again") {
            yield* request(`/api/tokens/${id}`, { method: "DELETE" })
            id = yield* register
          }
          for (const path of [`/api/tokens/${id}`, `/api/tokens/mint/${draft.mintAddress}`]) {
            // Before the current ETag is known, and after.
            for (let time = 0; time < 2; time++) {
              const now = yield* read(path)
              for (const [etag, text] of seen) {
                const { status } = yield* read(path, etag)
                assert.strictEqual(status, text === now.text ? 304 : 200, `${step} ${path}`)
              }
              assert.strictEqual((yield* read(path, now.etag)).status, 304)
              assert.include([undefined, now.text], seen.get(now.etag))
              seen.set(now.etag, now.text)
            }
          }
        }
      }).pipe(Effect.orDie),
    { arbitrary: { runs: examples(6, 60) } },
  )

  it.effect("is never answered 304 for what its client has changed before, however many others ask meanwhile", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const token = yield* create()
      const path = `/api/tokens/${token.id}`
      let { etag } = yield* read(path)
      for (let round = 0; round < 10; round++) {
        const others = yield* Effect.forkChild(
          Effect.forEach(Array.from({ length: 24 }), () => read(path, etag), { concurrency: "unbounded" }),
        )
        yield* request(path, { method: "PATCH", json: { description: `Round ${round}` } })
        const changed = yield* read(path, etag)
        assert.deepInclude(changed, { status: 200 })
        assert.include(changed.text, `Round ${round}`)
        for (const { status, text } of yield* Fiber.join(others))
          assert.isTrue(status === 304 || text.includes(`Round ${round}`), text)
        etag = changed.etag
      }
    }),
  )

  it.effect("is answered by what each resource is, when many are asked for at once", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const tokens = yield* Effect.forEach(Array.from({ length: 130 }), () => create(), { concurrency: 8 })
      const paths = tokens.map(({ id }) => `/api/tokens/${id}`)
      const etags = yield* Effect.forEach(paths, (path) => Effect.map(read(path), ({ etag }) => etag))
      const asked = Effect.forEach(paths, (path, at) => read(path, etags[at]!), { concurrency: "unbounded" })
      assert.isTrue((yield* asked).every(({ status }) => status === 304))
      const changed = new Set([0, 64, 129])
      for (const at of changed) yield* request(paths[at]!, { method: "PATCH", json: { name: "Changed" } })
      yield* request(paths[100]!, { method: "DELETE" })
      for (const [at, { status }] of (yield* asked).entries())
        assert.strictEqual(status, changed.has(at) ? 200 : at === 100 ? 404 : 304, paths[at])
      // An id may be written in upper case.
      assert.strictEqual((yield* read(`/api/tokens/${tokens[1]!.id.toUpperCase()}`, etags[1]!)).status, 304)
    }),
  )

  it.effect("of a record is 304 until its status changes", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const made = yield* request("/api/transactions", { json: transactionDraft({ chain: "ethereum" }) })
      assert.strictEqual(made.status, 201, JSON.stringify(made.body))
      const path = `/api/transactions/${made.body.transaction.id}`
      const { etag } = yield* read(path)
      for (let time = 0; time < 2; time++) assert.strictEqual((yield* read(path, etag)).status, 304)
      yield* request(`${path}/status`, { method: "PATCH", json: { status: "success" } })
      const changed = yield* read(path, etag)
      assert.strictEqual(changed.status, 200)
      for (let time = 0; time < 2; time++) assert.strictEqual((yield* read(path, changed.etag)).status, 304)
      yield* request(path, { method: "DELETE" })
      assert.strictEqual((yield* read(path, changed.etag)).status, 404)
    }),
  )
})
