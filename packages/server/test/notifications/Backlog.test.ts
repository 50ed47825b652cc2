import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { DELIVERY_PLACES } from "../../src/notifications/MessageQueue.ts"
import { NotificationReceiver } from "./NotificationReceiver.ts"
import {
  call,
  deliverAll,
  endpoint,
  followAll,
  hurry,
  messagesOf,
  parts,
  patch,
  remove,
  sendAll,
  serverOf,
} from "./TestNotifications.ts"
import { until } from "./Until.ts"

const BACKLOG = 6
const KEPT = 10

/** Commits trades, each with its number. */
const trades = (from: number, to: number) =>
  Effect.forEach(
    Array.from({ length: to - from + 1 }, (_, index) => String(from + index)),
    (baseAmount) => commitChanges(sampleChange("trade", sampleAddress(), { baseAmount })),
  )

layer(serverOf({ backlogMax: BACKLOG, keptMax: KEPT, keepDays: 2 }), { excludeTestServices: true })(
  "An endpoint",
  (it) => {
    it.effect(
      "that is too slow misses events, is sent a reset, and gets later ones once half of its backlog is gone",
      () =>
        Effect.gen(function* () {
          const receiver = yield* NotificationReceiver.make
          // The first endpoint of all: nothing has followed the index yet.
          const { id } = yield* endpoint(receiver.url)
          const { id: other } = yield* endpoint(receiver.url, { types: ["token"] })
          yield* trades(1, 10)
          yield* followAll
          assert.lengthOf(yield* messagesOf(id, "&state=pending"), BACKLOG + 1)
          const slow = (yield* call(`/endpoints/${id}`)).body.data
          assert.strictEqual(slow.skippedMessages, "4")
          assert.isNotNull(slow.lastSkippedAt)
          yield* trades(11, 11)
          yield* followAll
          assert.strictEqual((yield* call(`/endpoints/${id}`)).body.data.skippedMessages, "5")
          yield* deliverAll
          yield* trades(12, 12)
          yield* sendAll
          const told = receiver.at("/").map(({ data }) => data.baseAmount ?? data.reason)
          assert.sameMembers([...told], ["1", "2", "3", "4", "5", "6", "backlog_full", "backlog_full", "12"])
          assert.strictEqual((yield* call(`/endpoints/${other}`)).body.data.skippedMessages, "0")
        }),
    )

    it.effect("that reads the state at once after a reset is sent another when no more events are skipped", () =>
      Effect.gen(function* () {
        const receiver = yield* NotificationReceiver.make
        const { id } = yield* endpoint(receiver.url)
        const told = () => receiver.at("/").map(({ data }) => data.baseAmount ?? data.reason)
        receiver.answers = 500
        yield* trades(1, BACKLOG)
        yield* sendAll
        // All of it is retried later: what is new overtakes it.
        receiver.answers = 204
        receiver.received.length = 0
        yield* trades(BACKLOG + 1, BACKLOG + 1)
        yield* sendAll
        assert.deepStrictEqual(told(), ["backlog_full"])
        yield* trades(BACKLOG + 2, BACKLOG + 2)
        yield* sendAll
        assert.strictEqual((yield* call(`/endpoints/${id}`)).body.data.skippedMessages, "2")
        yield* hurry
        yield* deliverAll
        receiver.received.length = 0
        yield* trades(BACKLOG + 3, BACKLOG + 3)
        yield* sendAll
        assert.sameMembers(told(), ["backlog_full", String(BACKLOG + 3)])
      }),
    )

    it.effect("that hangs holds up no other", () =>
      Effect.gen(function* () {
        const receiver = yield* NotificationReceiver.make
        receiver.answers = (request, response) => {
          if (request.url === "/fast") response.writeHead(204).end()
        }
        const { id: slow } = yield* endpoint(`${receiver.url}/slow`)
        const { id: fast } = yield* endpoint(`${receiver.url}/fast`)
        for (const endpointId of [slow, fast, slow, fast]) yield* call("/test", { endpointId })
        const { deliverTo } = yield* parts
        const hanging = yield* Effect.forkChild(deliverTo(slow))
        yield* until(
          Effect.sync(() => receiver.at("/slow").length),
          (count) => count >= 2,
        )
        const { dueEndpoints } = yield* parts
        assert.deepStrictEqual(yield* dueEndpoints([slow], DELIVERY_PLACES), [fast])
        yield* deliverTo(fast)
        assert.lengthOf(yield* messagesOf(fast, "&state=delivered"), 2)
        // What it held is due again at once.
        yield* Fiber.interrupt(hanging)
        assert.deepStrictEqual(yield* dueEndpoints([], DELIVERY_PLACES), [slow])
        receiver.answers = 204
        yield* deliverAll
        assert.lengthOf(yield* messagesOf(slow, "&state=delivered"), 2)
      }),
    )

    it.effect("keeps delivered and failed messages for so many days, and pending ones", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const receiver = yield* NotificationReceiver.make
        const { id: endpointId } = yield* endpoint(receiver.url)
        for (let count = 0; count < 3; count++) yield* call("/test", { endpointId })
        yield* deliverAll
        receiver.answers = 500
        yield* call("/test", { endpointId })
        yield* deliverAll
        const messages = yield* messagesOf(endpointId)
        const { sweep } = yield* parts
        // What other tests left beyond the newest.
        yield* sweep(100)
        yield* sql`update notification_messages set created_at = now() - interval '30 days'`
        yield* sql`
        update notification_messages set settled_at = now() - interval '3 days', state = 'failed'
        where id = any (${messages.slice(1, 3).map(({ id }: { readonly id: string }) => id)}::uuid[])`
        assert.deepStrictEqual([yield* sweep(1), yield* sweep(1)], [2, 0])
        assert.deepStrictEqual(
          (yield* messagesOf(endpointId)).map(({ state }: { readonly state: string }) => state).toSorted(),
          ["delivered", "pending"],
        )
        yield* hurry
      }),
    )

    it.effect("keeps so many messages, the newest, and pending ones beyond them", () =>
      Effect.gen(function* () {
        const receiver = yield* NotificationReceiver.make
        const { id: endpointId } = yield* endpoint(receiver.url)
        receiver.answers = 500
        yield* call("/test", { endpointId })
        yield* deliverAll
        receiver.answers = 204
        for (let count = 0; count < KEPT + 3; count++) {
          yield* call("/test", { endpointId })
          yield* deliverAll
        }
        const before = yield* messagesOf(endpointId)
        const { sweep } = yield* parts
        assert.strictEqual(yield* sweep(2), 3)
        assert.deepStrictEqual(yield* messagesOf(endpointId), [...before.slice(0, KEPT), before.at(-1)])
      }),
    )

    it.effect("that is deleted is gone at once, and its messages and attempts with the next sweep", () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const receiver = yield* NotificationReceiver.make
        const { id: endpointId } = yield* endpoint(receiver.url)
        for (let count = 0; count < 3; count++) yield* call("/test", { endpointId })
        yield* deliverAll
        yield* call("/test", { endpointId })
        const [message] = yield* messagesOf(endpointId)
        yield* remove(endpointId)
        receiver.received.length = 0
        yield* trades(1, 1)
        yield* sendAll
        assert.deepStrictEqual(receiver.received, [])
        const stored = sql`select from notification_messages where endpoint_id = ${endpointId}::uuid`
        assert.lengthOf(yield* stored, 4)
        const asked = [
          call(`/endpoints/${endpointId}`),
          call(`/endpoints/${endpointId}/messages`),
          call(`/messages/${message.id}`),
          patch(endpointId, { enabled: true }),
          call("/test", { endpointId }),
          call("/redeliver", { messageId: message.id }),
          call("/redeliver-failed", { endpointId, since: "2026-01-01" }),
          call("/rotate-secret", { endpointId }),
          remove(endpointId),
        ]
        for (const ask of asked) assert.strictEqual((yield* ask).status, 404)
        const listed: ReadonlyArray<{ readonly id: string }> = (yield* call("/endpoints")).body.data
        assert.notInclude(
          listed.map(({ id }) => id),
          endpointId,
        )
        const { sweep } = yield* parts
        assert.isAtLeast(yield* sweep(2), 4)
        assert.lengthOf(yield* stored, 0)
        assert.lengthOf(yield* sql`select from notification_endpoints where id = ${endpointId}::uuid`, 0)
      }),
    )
  },
)
