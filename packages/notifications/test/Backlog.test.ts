import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commitChanges, sampleChange } from "../../server/test/stream/IndexChanges.ts"
import { sampleAddress } from "../../service/test/Samples.ts"
import { NotificationReceiver } from "./NotificationReceiver.ts"
import {
  call,
  deliverAll,
  endpoint,
  followAll,
  hurry,
  messagesOf,
  parts,
  sendAll,
  serverOf,
} from "./TestNotifications.ts"

const BACKLOG = 6

layer(serverOf({ backlogMax: BACKLOG, keepDays: 2 }), { excludeTestServices: true })("An endpoint", (it) => {
  it.effect("that is too slow misses events, is told so, and gets later ones once half of its backlog is gone", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      // The first endpoint of all: nothing has followed the index yet.
      const { id } = yield* endpoint(receiver.url)
      const { id: other } = yield* endpoint(receiver.url, { types: ["token"] })
      const trades = (from: number, to: number) =>
        Effect.forEach(
          Array.from({ length: to - from + 1 }, (_, index) => String(from + index)),
          (baseAmount) => commitChanges(sampleChange("trade", sampleAddress(), { baseAmount })),
        )
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
      assert.sameMembers([...told], ["1", "2", "3", "4", "5", "6", "backlog_full", "12"])
      assert.strictEqual((yield* call(`/endpoints/${other}`)).body.data.skippedMessages, "0")
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
      while (receiver.at("/slow").length < 2) yield* Effect.sleep(5)
      const { dueEndpoints } = yield* parts
      assert.deepStrictEqual(yield* dueEndpoints([slow], 100), [fast])
      yield* deliverTo(fast)
      assert.lengthOf(yield* messagesOf(fast, "&state=delivered"), 2)
      // What it held is due again at once.
      yield* Fiber.interrupt(hanging)
      assert.deepStrictEqual(yield* dueEndpoints([], 100), [slow])
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
      yield* sql`update notification_messages set created_at = now() - interval '30 days'`
      yield* sql`
        update notification_messages set settled_at = now() - interval '3 days', state = 'failed'
        where id = any (${messages.slice(1, 3).map(({ id }: { readonly id: string }) => id)}::uuid[])`
      const { sweep } = yield* parts
      assert.deepStrictEqual([yield* sweep(1), yield* sweep(10), yield* sweep(10)], [1, 1, 0])
      assert.deepStrictEqual(
        (yield* messagesOf(endpointId)).map(({ state }: { readonly state: string }) => state).toSorted(),
        ["delivered", "pending"],
      )
      yield* hurry
    }),
  )
})
