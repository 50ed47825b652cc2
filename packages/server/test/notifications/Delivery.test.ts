import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Webhook } from "standardwebhooks"
import { commitChanges, commitText, sampleChange } from "../stream/IndexChanges.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { NotificationReceiver } from "./NotificationReceiver.ts"
import {
  call,
  deliverAll,
  endpoint,
  followAll,
  hurry,
  messagesOf,
  patch,
  sendAll,
  serverOf,
} from "./TestNotifications.ts"

layer(serverOf(), { excludeTestServices: true })("An endpoint", (it) => {
  it.effect("gets what is committed from now on, of its types and mints, as in the stream, signed", () =>
    Effect.gen(function* () {
      yield* followAll
      const receiver = yield* NotificationReceiver.make
      const [mint, other] = [sampleAddress(), sampleAddress()]
      yield* commitChanges(sampleChange("trade", mint, { baseAmount: "1" }))
      const { secret } = yield* endpoint(`${receiver.url}/all`)
      const ofMint = { mintAddresses: [mint], types: ["trade", "token", "graduation", "liquidity", "revert"] }
      yield* endpoint(`${receiver.url}/mint`, ofMint)
      const trades = [sampleChange("trade", mint), sampleChange("trade", other)]
      const [token, revert] = [sampleChange("token", mint), sampleChange("revert", mint)]
      const graduation = sampleChange("graduation", mint, { mintAddress: null })
      yield* commitChanges(...trades, sampleChange("pool", mint))
      const withdrawn = sampleChange("liquidity", mint)
      yield* commitChanges(token, graduation, withdrawn, sampleChange("liquidity", other), revert)
      yield* sendAll
      const dataAt = (path: string) =>
        receiver.at(path).map(({ data: { finality: _finality, ...data } }) => {
          const { marketCap: _marketCap, price: _price, quoteProgress: _progress, ...rest } = data
          const { priceUsd: _priceUsd, quoteAmountUsd: _quoteAmountUsd, ...change } = rest
          return change
        })
      const launched = { ...token, decimals: null, totalSupply: null, authorities: null }
      assert.sameDeepMembers([...dataAt("/all")], [...trades, revert])
      assert.sameDeepMembers([...dataAt("/mint")], [trades[0], launched, withdrawn, revert])
      for (const { body, headers, path } of receiver.received) {
        const event = JSON.parse(body)
        assert.deepStrictEqual(Object.keys(event), ["type", "timestamp", "data"])
        assert.strictEqual(event.type, event.data.type)
        assert.strictEqual(headers["content-type"], "application/json")
        if (path === "/all") assert.deepStrictEqual(new Webhook(secret).verify(body, headers), event)
        else assert.throws(() => new Webhook(secret).verify(body, headers))
      }
      const traded = receiver.at("/mint").find(({ type }) => type === "trade")
      assert.strictEqual(traded.timestamp, traded.data.time)
      // Nothing twice.
      const count = receiver.received.length
      yield* sendAll
      assert.lengthOf(receiver.received, count)
    }),
  )

  it.effect("gets no events of while it was disabled; its pending messages fail", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      const { id } = yield* endpoint(receiver.url)
      const trade = (baseAmount: string) => commitChanges(sampleChange("trade", sampleAddress(), { baseAmount }))
      yield* trade("1")
      yield* followAll
      const disabled = yield* patch(id, { enabled: false })
      assert.deepInclude(disabled.body.data, { state: "disabled", disabledReason: "by_owner" })
      yield* trade("2")
      yield* sendAll
      yield* trade("3")
      assert.deepInclude((yield* patch(id, { enabled: true })).body.data, { state: "enabled", disabledReason: null })
      yield* trade("4")
      yield* sendAll
      assert.deepStrictEqual(
        receiver.at("/").map(({ data }) => data.baseAmount),
        ["4"],
      )
      assert.deepStrictEqual(
        (yield* messagesOf(id)).map(({ state }: { readonly state: string }) => state),
        ["delivered", "failed"],
      )
    }),
  )

  it.effect("is retried with the same id and a new signature until it answers 2xx; a redirect is a failure", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      const { id, secret } = yield* endpoint(`${receiver.url}/hook`)
      receiver.answers = (_, response) => response.writeHead(307, { location: `${receiver.url}/other` }).end()
      yield* call("/test", { endpointId: id })
      yield* deliverAll
      receiver.answers = 500
      yield* hurry
      yield* deliverAll
      const [waiting] = yield* messagesOf(id)
      assert.deepInclude(waiting, { state: "pending", attempts: 2, lastStatus: 500, lastError: null })
      assert.isNotNull((yield* call(`/endpoints/${id}`)).body.data.failingSince)
      receiver.answers = 200
      yield* hurry
      yield* deliverAll
      assert.deepStrictEqual(receiver.at("/other"), [])
      assert.lengthOf(receiver.at("/hook"), 3)
      assert.lengthOf(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])), 1)
      for (const { body, headers } of receiver.received) new Webhook(secret).verify(body, headers)
      const { data } = (yield* call(`/messages/${waiting.id}`)).body
      assert.deepInclude(data, { state: "delivered", attempts: 3, nextAttemptAt: null, lastStatus: 200 })
      assert.deepStrictEqual(
        data.history.map(({ status }: { readonly status: number }) => status),
        [200, 500, 307],
      )
      assert.strictEqual(JSON.parse(data.body).data.endpointId, id)
      assert.isNull((yield* call(`/endpoints/${id}`)).body.data.failingSince)
    }),
  )

  it.effect("whose messages fail to the last attempt keeps them as failed, to be redelivered one by one or all", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      const { id } = yield* endpoint(receiver.url)
      receiver.answers = 503
      const since = new Date().toISOString()
      for (let count = 0; count < 3; count++) yield* call("/test", { endpointId: id })
      for (let attempt = 0; attempt < 10; attempt++) {
        yield* hurry
        yield* deliverAll
      }
      assert.lengthOf(receiver.received, 30)
      const failed = yield* messagesOf(id, "&state=failed")
      assert.lengthOf(failed, 3)
      assert.deepInclude(failed[0], { attempts: 10, lastStatus: 503, nextAttemptAt: null })
      yield* hurry
      yield* deliverAll
      assert.lengthOf(receiver.received, 30)

      receiver.answers = 204
      const one = yield* call("/redeliver", { messageId: failed[1].id })
      assert.deepInclude(one.body.data, { id: failed[1].id, state: "pending", attempts: 0 })
      yield* deliverAll
      assert.strictEqual(receiver.received.at(-1)!.headers["webhook-id"], failed[1].id)
      assert.lengthOf(receiver.received, 31)
      const all = yield* call("/redeliver-failed", { endpointId: id, since })
      assert.deepStrictEqual(all.body.data, { redelivered: 2, more: false })
      yield* deliverAll
      assert.lengthOf(yield* messagesOf(id, "&state=delivered"), 3)
      // A delivered one as well.
      yield* call("/redeliver", { messageId: failed[1].id })
      yield* deliverAll
      assert.lengthOf(receiver.received, 34)
      const later = yield* call("/redeliver-failed", { endpointId: id, since })
      assert.deepStrictEqual(later.body.data, { redelivered: 0, more: false })
    }),
  )

  it.effect("that answers 410 is disabled at once, one that fails for five days as well; then nothing is sent", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const receiver = yield* NotificationReceiver.make
      const [gone, failing] = [yield* endpoint(`${receiver.url}/gone`), yield* endpoint(`${receiver.url}/failing`)]
      receiver.answers = (request, response) => response.writeHead(request.url === "/gone" ? 410 : 500).end()
      for (const { id } of [gone, gone, failing, failing]) yield* call("/test", { endpointId: id })
      yield* deliverAll
      const stateOf = (id: string) => Effect.map(call(`/endpoints/${id}`), ({ body }) => body.data)
      assert.deepInclude(yield* stateOf(gone.id), { state: "disabled", disabledReason: "gone" })
      assert.deepInclude(yield* stateOf(failing.id), { state: "enabled", disabledReason: null })

      const age = (days: number) => sql`
        update notification_endpoints set failing_since = now() - interval '1 day' * ${days}::integer
        where id = ${failing.id}::uuid`
      yield* age(4)
      yield* hurry
      yield* deliverAll
      assert.deepInclude(yield* stateOf(failing.id), { state: "enabled" })
      yield* age(5)
      yield* hurry
      yield* deliverAll
      assert.deepInclude(yield* stateOf(failing.id), { state: "disabled", disabledReason: "failing" })
      for (const { id } of [gone, failing]) {
        const states = (yield* messagesOf(id)).map(({ state }: { readonly state: string }) => state)
        assert.deepStrictEqual(states, ["failed", "failed"])
        const test = yield* call("/test", { endpointId: id })
        assert.deepStrictEqual([test.status, test.body.code], [409, "endpoint_disabled"])
        const again = yield* call("/redeliver-failed", { endpointId: id, since: "2026-01-01" })
        assert.deepStrictEqual([again.status, again.body.code], [409, "endpoint_disabled"])
      }
      const count = receiver.received.length
      yield* commitChanges(sampleChange("trade", sampleAddress()))
      yield* sendAll
      assert.lengthOf(receiver.received, count)
    }),
  )

  it.effect("that failed long ago and fails again is not failing since then", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const receiver = yield* NotificationReceiver.make
      const { id } = yield* endpoint(receiver.url)
      receiver.answers = 500
      yield* sql`
        update notification_endpoints set failing_since = now() - interval '30 days',
          last_failed_at = now() - interval '27 days' where id = ${id}::uuid`
      yield* call("/test", { endpointId: id })
      yield* deliverAll
      assert.deepInclude((yield* call(`/endpoints/${id}`)).body.data, { state: "enabled" })
    }),
  )

  it.effect("is asked no sooner than its Retry-After", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      const { id } = yield* endpoint(receiver.url)
      receiver.answers = (_, response) => response.writeHead(429, { "retry-after": "3600" }).end()
      yield* call("/test", { endpointId: id })
      yield* deliverAll
      const sql = yield* SqlClient
      const [row] = yield* sql<{ readonly isLater: boolean }>`
        select next_attempt_at > now() + interval '50 minutes' as is_later from notification_messages
        where endpoint_id = ${id}::uuid`
      assert.isTrue(row!.isLater)
    }),
  )

  it.effect("with a rotated secret gets a signature of each for a day, then of the new one alone", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const receiver = yield* NotificationReceiver.make
      const { id, secret } = yield* endpoint(receiver.url)
      const rotated = yield* call("/rotate-secret", { endpointId: id })
      assert.strictEqual(rotated.headers.get("cache-control"), "no-store")
      assert.notStrictEqual(rotated.body.data.secret, secret)
      yield* call("/test", { endpointId: id })
      yield* deliverAll
      yield* sql`update notification_endpoints set previous_secret_until = now() where id = ${id}::uuid`
      yield* call("/test", { endpointId: id })
      yield* deliverAll
      const verifies = (key: string, { body, headers }: (typeof receiver.received)[number]) => {
        try {
          return Boolean(new Webhook(key).verify(body, headers))
        } catch {
          return false
        }
      }
      const [before, after] = receiver.received
      assert.deepStrictEqual(
        [secret, rotated.body.data.secret].map((key) => [verifies(key, before!), verifies(key, after!)]),
        [
          [true, false],
          [true, true],
        ],
      )
      // Nothing of a secret is stored.
      const [dump] = yield* sql<{ readonly text: string }>`
        select string_agg(e::text, '') || (select coalesce(string_agg(m::text, ''), '') from notification_messages m) as text
        from notification_endpoints e`
      for (const key of [secret, rotated.body.data.secret]) assert.notInclude(dump!.text, key.slice(6, 20))
    }),
  )

  it.effect(
    "gets a reset where commits are missing, and what is kept after it; of another history only the reset",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const receiver = yield* NotificationReceiver.make
        yield* endpoint(receiver.url)
        const trade = (baseAmount: string) => commitChanges(sampleChange("trade", sampleAddress(), { baseAmount }))
        yield* trade("1")
        yield* trade("2")
        yield* trade("3")
        // The next one is after it, though its id is far ahead, as on a promoted standby.
        yield* trade("3 on another server")
        yield* sql`
          update index_changes set id = id + 1000000, after_id = id - 1 where id = (select max(id) from index_changes)`
        yield* sql`delete from index_changes where id < (select max(after_id) from index_changes)`
        yield* sendAll
        const told = () => receiver.at("/").map(({ data, type }) => (type === "reset" ? data.reason : data.baseAmount))
        assert.sameMembers([...told()], ["older_than_kept", "3", "3 on another server"])
        // What a later version writes is skipped, and what cannot be read of a change does not stop it.
        yield* commitChanges(sampleChange("trade", sampleAddress(), { baseAmount: "3a", time: "no time" }))
        yield* commitText(
          JSON.stringify([{ type: "later" }, sampleChange("trade", sampleAddress(), { baseAmount: "4" })]),
        )
        yield* sendAll
        assert.sameMembers([...told()], ["older_than_kept", "3", "3 on another server", "3a", "4"])
        yield* sql`delete from index_changes`
        yield* trade("1 of another history")
        yield* sendAll
        assert.sameMembers([...told()], ["older_than_kept", "3", "3 on another server", "3a", "4", "unknown_id"])
        yield* trade("2 of it")
        yield* sendAll
        assert.include([...told()], "2 of it")
      }),
  )
})
