import { assert, layer } from "@effect/vitest"
import { FollowCordonsLayer } from "@launch-registry/indexer/cordons/FollowCordons"
import { Effect, Layer, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { sampleAddress, tokenDraft } from "../Samples.ts"
import { TestServer } from "../TestServer.ts"
import { accessOf, ADMIN_KEY, adminAccess, AS_ADMIN, keyOf, known } from "./TestAccess.ts"
import { authorization, newWallet } from "./TestWallet.ts"

const cordonOf = (endpoint: string) => `/api/system/rpc/${endpoint}/cordon`
const PRIMARY = cordonOf("primary")
const AUDIT = "/api/system/audit"

const cordon = (path: string, reason: unknown, headers: Readonly<Record<string, string>> = AS_ADMIN) =>
  Effect.flatMap(TestServer, ({ request }) => request(path, { method: "PUT", json: { reason }, headers }))

const uncordon = (path: string, headers: Readonly<Record<string, string>> = AS_ADMIN) =>
  Effect.flatMap(TestServer, ({ request }) => request(path, { method: "DELETE", headers }))

const auditBy = (query: string, headers: Readonly<Record<string, string>> = AS_ADMIN) =>
  Effect.flatMap(TestServer, ({ request }) => request(`${AUDIT}${query}`, { headers }))

const cordons = Effect.flatMap(
  SqlClient,
  (sql) =>
    sql<{
      readonly endpoint: string
      readonly reason: string
    }>`select key as endpoint, value ->> 'reason' as reason from indexer_progress, jsonb_each(cordons)`,
)

const withAdminKey = FollowCordonsLayer.pipe(Layer.provideMerge(TestServer.layer({ access: adminAccess() })))

layer(withAdminKey, { excludeTestServices: true })("With ADMIN_KEY", (it) => {
  it.effect("an endpoint is cordoned with a reason and uncordoned, and the audit log says by whom and why", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const shown = Effect.map(
        request("/api/system/rpc", { headers: AS_ADMIN }),
        ({ body }) => body.data.endpoints[0].cordon,
      )
      const until = (reason: string | undefined) =>
        shown.pipe(
          Effect.filterOrFail((found) => found?.reason === reason),
          Effect.retry(Schedule.spaced("20 millis")),
        )
      const first = yield* cordon(PRIMARY, "minutes behind")
      assert.strictEqual(first.status, 200)
      assert.deepInclude(first.body.data, { endpoint: "primary" })
      assert.deepStrictEqual(yield* until("minutes behind"), first.body.data.cordon)
      const again = yield* cordon(PRIMARY, "minutes behind")
      assert.deepStrictEqual(again.body, first.body)
      assert.strictEqual((yield* cordon(PRIMARY, "hours behind")).status, 200)
      yield* until("hours behind")
      for (const _ of [1, 2]) {
        const lifted = yield* uncordon(PRIMARY)
        assert.deepStrictEqual([lifted.status, lifted.body.data], [200, { endpoint: "primary", cordon: null }])
      }
      yield* until(undefined)

      const { body } = yield* auditBy("?subject=primary")
      const [newest] = body.data
      assert.deepStrictEqual((yield* auditBy(`?requestId=${newest.requestId}`)).body.data, [newest])
      assert.deepStrictEqual((yield* auditBy("?requestId=nobodys")).body.data, [])
      const by = { caller: { kind: "key", id: "ADMIN_KEY", name: "ADMIN_KEY" }, subject: "primary", status: 200 }
      const put = { ...by, method: "PUT", route: "/api/system/rpc/:endpoint/cordon" }
      const lift = { ...put, method: "DELETE", reason: null }
      assert.deepStrictEqual(
        body.data.map(({ at: _at, id: _id, requestId: _requestId, ...entry }: Record<string, unknown>) => entry),
        [
          ...[lift, lift, { ...put, reason: "hours behind" }],
          ...[
            { ...put, reason: "minutes behind" },
            { ...put, reason: "minutes behind" },
          ],
        ],
      )
    }),
  )

  it.effect("only endpoints that there are, for one line of reason, and not without the key", () =>
    Effect.gen(function* () {
      for (const path of ["backup", "backup-99"].map(cordonOf))
        for (const answer of [yield* cordon(path, "a reason"), yield* uncordon(path)]) {
          assert.deepStrictEqual([answer.status, answer.body.code], [404, "not_found"], path)
          assert.deepStrictEqual(answer.body.details, { resource: "rpc_endpoint", id: path.split("/").at(-2) })
        }
      for (const name of [
        "PRIMARY",
        "primary%20",
        "backup-0",
        encodeURIComponent("https://rpc.example/?api-key=CANARY"),
      ])
        for (const answer of [yield* cordon(cordonOf(name), "a reason"), yield* uncordon(cordonOf(name))]) {
          assert.deepStrictEqual([answer.status, answer.body.code], [400, "invalid_request"], name)
          assert.notInclude(JSON.stringify(answer.body), "CANARY")
        }
      for (const reason of ["", " ", " padded", "two\nlines", "bell\u0007", "\u202eflipped", "x".repeat(201), 1, null])
        assert.strictEqual((yield* cordon(PRIMARY, reason)).status, 400, JSON.stringify(reason))
      for (const headers of [{}, { "x-api-key": `${ADMIN_KEY}x` }])
        for (const answer of [
          yield* cordon(PRIMARY, "a reason", headers),
          yield* uncordon(PRIMARY, headers),
          yield* auditBy("", headers),
        ])
          assert.deepStrictEqual([answer.status, answer.body.code], [401, "unauthenticated"])
      assert.deepStrictEqual(yield* cordons, [])
    }),
  )

  it.effect("an endpoint that is configured no more is uncordoned as well", () =>
    Effect.gen(function* () {
      yield* (yield* SqlClient)`
        update indexer_progress set cordons = '{"backup-3": {"reason": "by command", "since": "2026-11-21T09:30:00Z"}}'`
      assert.strictEqual((yield* uncordon(cordonOf("backup-3"))).status, 200)
      assert.strictEqual((yield* uncordon(cordonOf("backup-3"))).status, 404)
    }),
  )
})

const admin = newWallet()
const closed = Layer.unwrap(
  Effect.sync(() =>
    TestServer.layer({
      access: accessOf({ writeAuth: ["api-key", "wallet"], adminWallets: [admin.address], keysFreshMillis: 50 }),
    }),
  ),
)

layer(closed, { excludeTestServices: true })("With WRITE_AUTH", (it) => {
  it.effect("admins cordon, and who reads the system routes reads the audit log, by filters and in pages", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      const [writer, reader, operator] = [yield* keyOf("write"), yield* keyOf("read"), yield* keyOf("admin")]
      yield* known(operator.headers)
      const signed = (wallet: typeof admin, method: string, body = "") =>
        Effect.map(
          Effect.promise(() =>
            authorization(
              { url: "https://api.example", network: "localnet" },
              ...[wallet, method, PRIMARY, Buffer.from(body)],
            ),
          ),
          (value) => ({ authorization: value }),
        )
      const body = JSON.stringify({ reason: "signed" })
      const statuses = [
        (yield* cordon(PRIMARY, "no", writer.headers)).status,
        (yield* cordon(PRIMARY, "no", reader.headers)).status,
        (yield* uncordon(PRIMARY, reader.headers)).status,
        (yield* cordon(PRIMARY, "signed", yield* signed(newWallet(), "PUT", body))).status,
        (yield* cordon(PRIMARY, "another", yield* signed(admin, "PUT", body))).status,
      ]
      assert.deepStrictEqual(statuses, [403, 403, 403, 403, 401])
      assert.deepStrictEqual(yield* cordons, [])
      assert.strictEqual((yield* cordon(PRIMARY, "signed", yield* signed(admin, "PUT", body))).status, 200)
      assert.deepStrictEqual(yield* cordons, [{ endpoint: "primary", reason: "signed" }])
      assert.strictEqual((yield* uncordon(PRIMARY, operator.headers)).status, 200)
      assert.strictEqual((yield* auditBy("", writer.headers)).status, 403)

      const draft = tokenDraft()
      const { id } = (yield* request("/api/tokens", { json: draft, headers: writer.headers })).body.data
      yield* request(`/api/tokens/${id}`, { method: "DELETE", headers: writer.headers })
      const found = (query: string) =>
        Effect.map(auditBy(query, reader.headers), ({ body: { data } }) =>
          data.map(({ method, reason, status }: Record<string, unknown>) => [method, status, reason]),
        )
      const written = [
        ["DELETE", 200, null],
        ["POST", 201, null],
        ["PUT", 403, null],
      ]
      assert.deepStrictEqual(yield* found(`?caller=${writer.id}`), written)
      assert.deepStrictEqual(yield* found("?caller=write%20key"), written)
      assert.deepStrictEqual(yield* found(`?caller=${sampleAddress()}`), [])
      assert.deepStrictEqual(yield* found(`?caller=${admin.address}`), [
        ["PUT", 200, "signed"],
        ["PUT", 401, null],
      ])
      assert.deepStrictEqual(yield* found(`?subject=${draft.mintAddress}`), [["POST", 201, null]])
      assert.deepStrictEqual(yield* found("?route=/api/tokens/:id"), [["DELETE", 200, null]])
      assert.lengthOf(yield* found("?method=PUT"), 5)
      assert.lengthOf(yield* found("?startDate=2100-01-01"), 0)
      assert.lengthOf(yield* found("?endDate=2020-01-01"), 0)
      assert.lengthOf(yield* found("?startDate=2020-01-01&endDate=2100-01-01"), 9)

      const pages: Array<string> = []
      for (let cursor = ""; ;) {
        const { data, pagination } = (yield* auditBy(`?limit=2${cursor}`, reader.headers)).body
        pages.push(data.map((entry: { readonly id: string }) => entry.id).join())
        if (pagination.nextCursor === null) break
        cursor = `&cursor=${pagination.nextCursor}`
      }
      const all: ReadonlyArray<{ readonly id: string }> = (yield* auditBy("", reader.headers)).body.data
      assert.strictEqual(pages.join(), all.map((entry) => entry.id).join())
      assert.lengthOf(pages, 5)
    }),
  )
})
