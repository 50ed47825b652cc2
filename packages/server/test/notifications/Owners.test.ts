import { assert, layer } from "@effect/vitest"
import { Effect, Fiber, Layer, Redacted, Schedule } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { apiKeyStatements } from "../../src/access/ApiKeys.ts"
import { accessOf, auditOf, keyOf } from "../../../service/test/access/TestAccess.ts"
import { TestServer } from "../../../service/test/TestServer.ts"
import { NotificationReceiver } from "./NotificationReceiver.ts"
import { call, deliverAll, endpoint, insertEndpoints, patch, remove, serverOf } from "./TestNotifications.ts"

const ADMIN_KEY = "admin-key-of-the-tests-of-notifications"
const ADMIN = { authorization: `Bearer ${ADMIN_KEY}` }
const HOOK = "http://127.0.0.1:9/hook"

const adminKeys = [Redacted.make(ADMIN_KEY)]
const withKeys = serverOf({}, { access: accessOf({ writeAuth: ["api-key"], adminKeys, keysFreshMillis: 50 }) })

/** Waits until the service knows a key that may write. */
const known = Effect.fnUntraced(function* (headers: Readonly<Record<string, string>>) {
  yield* call("/endpoints", undefined, headers).pipe(
    Effect.filterOrFail(({ status }) => status !== 401),
    Effect.retry(Schedule.spaced("20 millis")),
  )
})

layer(withKeys, { excludeTestServices: true })("With API keys, an endpoint", (it) => {
  it.effect("is its owner's alone: nobody else reads, changes, tests, rotates, redelivers or deletes it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const keys = apiKeyStatements(sql)
      const [mine, theirs] = yield* Effect.forEach(["mine", "theirs"], (name) =>
        Effect.map(keys.create({ name, scopes: ["write"], days: undefined }), ({ id, text }) => ({
          ...{ id, headers: { authorization: `Bearer ${Redacted.value(text)}` } },
        })),
      )
      const reader = yield* keyOf("read")
      yield* known(mine!.headers)
      yield* known(theirs!.headers)
      yield* known(reader.headers)
      const created = yield* endpoint(HOOK, {}, mine!.headers)
      assert.strictEqual(created.owner, `key:${mine!.id}`)
      const { id: endpointId } = created
      yield* call("/test", { endpointId }, mine!.headers)
      const [message] = (yield* call(`/endpoints/${endpointId}/messages`, undefined, mine!.headers)).body.data
      const before = yield* sql`select * from notification_endpoints`

      const attempts = (headers: Readonly<Record<string, string>>) => [
        call(`/endpoints/${endpointId}`, undefined, headers),
        call(`/endpoints/${endpointId}/messages`, undefined, headers),
        call(`/messages/${message.id}`, undefined, headers),
        patch(endpointId, { url: "http://127.0.0.1:9/other" }, headers),
        // What it would resolve to is not disclosed either.
        patch(endpointId, { url: "https://user@refused.example/" }, headers),
        remove(endpointId, headers),
        call("/rotate-secret", { endpointId }, headers),
        call("/test", { endpointId }, headers),
        call("/redeliver", { messageId: message.id }, headers),
        call("/redeliver-failed", { endpointId, since: "2026-01-01" }, headers),
      ]
      for (const attempt of attempts(theirs!.headers)) {
        const { body, status } = yield* attempt
        assert.strictEqual(status, 404, JSON.stringify(body))
        assert.include(["not_found", "not_found"], body.code)
      }
      for (const attempt of attempts({})) assert.strictEqual((yield* attempt).status, 401)
      for (const attempt of attempts(reader.headers)) assert.strictEqual((yield* attempt).status, 403)
      assert.deepStrictEqual((yield* call("/endpoints", undefined, theirs!.headers)).body.data, [])
      assert.deepStrictEqual(yield* sql`select * from notification_endpoints`, before)
      assert.lengthOf(yield* sql`select from notification_messages`, 1)

      // What a key is rotated to is the same owner, another key of its name is not; an admin may use all.
      const namesake = yield* keys.create({ name: "mine", scopes: ["write"], days: undefined })
      const rotated = (yield* keys.rotate(mine!.id, 1))!
      const stranger = { authorization: `Bearer ${Redacted.value(namesake.text)}` }
      const again = { authorization: `Bearer ${Redacted.value(rotated.text)}` }
      yield* known(stranger)
      yield* known(again)
      assert.deepStrictEqual((yield* call("/endpoints", undefined, stranger)).body.data, [])
      for (const headers of [again, ADMIN])
        assert.strictEqual((yield* call("/endpoints", undefined, headers)).body.data[0].id, endpointId)
      assert.strictEqual((yield* patch(endpointId, { enabled: false }, ADMIN)).body.data.disabledReason, "by_owner")
      assert.strictEqual((yield* remove(endpointId, again)).status, 200)
      for (const headers of [again, ADMIN])
        assert.deepStrictEqual((yield* call("/endpoints", undefined, headers)).body.data, [])

      // Nor does the part of a long list that is sent when its handler has ended.
      yield* insertEndpoints(250, `'key:${mine!.id}'`)
      yield* insertEndpoints(150, `'key:${theirs!.id}'`)
      const owners = (yield* call("/endpoints?limit=1000", undefined, again)).body.data.map(
        ({ owner }: { readonly owner: string }) => owner,
      )
      assert.deepStrictEqual(owners, Array(250).fill(`key:${mine!.id}`))
      assert.lengthOf((yield* call("/endpoints?limit=1000", undefined, ADMIN)).body.data, 400)
      const audit = yield* auditOf(theirs!.id)
      assert.deepInclude(audit.at(-1), {
        route: "/api/notifications/redeliver-failed",
        subject: endpointId,
        status: 404,
      })
    }),
  )
})

layer(serverOf({}, { access: accessOf({ adminKeys }) }), { excludeTestServices: true })(
  "With an admin key and open writes, an endpoint",
  (it) => {
    it.effect("needs the admin key, for reads as well; other writes stay open", () =>
      Effect.gen(function* () {
        const { request } = yield* TestServer
        for (const attempt of [call("/endpoints"), call("/endpoints", { url: HOOK, types: ["trade"] })]) {
          const { body, status } = yield* attempt
          assert.deepStrictEqual([status, body.code], [401, "unauthenticated"])
        }
        assert.strictEqual((yield* endpoint(HOOK, {}, ADMIN)).owner, "admin")
        assert.strictEqual((yield* request("/api/launch/whitelist", { json: {} })).status, 400)
      }),
    )
  },
)

const LIMITED = Layer.suspend(() =>
  serverOf(
    { endpointsMax: 3, endpointsPerOwnerMax: 2, backlogMax: 3 },
    { access: accessOf({ writeAuth: ["api-key"], adminKeys, keysFreshMillis: 50 }) },
  ),
)

layer(LIMITED, { excludeTestServices: true })("With limits, a caller", (it) => {
  it.effect("has so many endpoints, also if it creates them at the same time; and so has the service", () =>
    Effect.gen(function* () {
      const writer = yield* keyOf("write")
      yield* known(writer.headers)
      const create = (headers: Readonly<Record<string, string>>) =>
        call("/endpoints", { url: HOOK, types: ["trade"] }, headers)
      const sql = yield* SqlClient
      const { owner } = (yield* create(writer.headers)).body.data
      // Another process creates one at the same moment.
      const refused = yield* Effect.gen(function* () {
        yield* sql`select from server_progress where name = 'notifications' for update`
        yield* insertEndpoints(1, `'${owner}'`)
        const creating = yield* Effect.forkDetach(create(writer.headers))
        for (;;) {
          const waiting = yield* sql`
            select from pg_locks w where not w.granted and exists (
              select from pg_locks l where l.pid = w.pid and l.relation = 'server_progress'::regclass
                and l.database = (select oid from pg_database where datname = current_database()))`
          if (waiting.length > 0 || creating.pollUnsafe() !== undefined) return creating
          yield* Effect.sleep(5)
        }
      }).pipe(sql.withTransaction, Effect.flatMap(Fiber.join))
      assert.deepStrictEqual([refused.status, refused.body.details.resource], [409, "endpoints"])
      assert.deepStrictEqual(refused.body.details, { resource: "endpoints", limit: 2 })
      assert.strictEqual((yield* create(ADMIN)).status, 201)
      assert.deepStrictEqual((yield* create(ADMIN)).body.details, { resource: "endpoints_of_service", limit: 3 })
    }),
  )

  it.effect("has so many pending messages", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      const [{ id: endpointId }] = (yield* call("/endpoints", undefined, ADMIN)).body.data
      yield* patch(endpointId, { url: receiver.url }, ADMIN)
      const test = call("/test", { endpointId }, ADMIN)
      for (let count = 0; count < 3; count++) assert.strictEqual((yield* test).status, 200)
      const refused = yield* test
      assert.deepStrictEqual([refused.status, refused.body.details.resource], [429, "messages"])
      assert.isNotNull(refused.headers.get("retry-after"))
      yield* deliverAll
      assert.strictEqual((yield* test).status, 200)
    }),
  )
})
