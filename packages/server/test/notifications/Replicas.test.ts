import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { SendNotificationsLayer } from "../../src/notifications/SendNotifications.ts"
import { NotificationReceiver } from "./NotificationReceiver.ts"
import { endpoint, followAll, serverOf } from "./TestNotifications.ts"
import { until } from "./Until.ts"

const COMMITS = 40

it.live("Two replicas make each message once, and deliver each once; every one is delivered", () =>
  Effect.gen(function* () {
    const name = yield* TestDatabase.migrated
    const database = TestDatabase.connectionsTo(name)
    const receiver = yield* NotificationReceiver.make
    const replica = SendNotificationsLayer.pipe(Layer.provideMerge(serverOf({}, { database })))
    const one = yield* Layer.build(Layer.fresh(replica))
    yield* Layer.build(Layer.fresh(replica))
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* followAll
      for (const path of ["/a", "/b", "/c"]) yield* endpoint(`${receiver.url}${path}`)
      for (let count = 0; count < COMMITS; count++)
        yield* commitChanges(sampleChange("trade", sampleAddress()), sampleChange("trade", sampleAddress()))
      yield* until(
        sql<{ readonly state: string; readonly count: bigint }>`
          select state, count(*) as count from notification_messages group by state`,
        ([first, second]) => second === undefined && first?.state === "delivered" && Number(first.count) >= 6 * COMMITS,
      )
      assert.lengthOf(receiver.received, 6 * COMMITS)
      assert.lengthOf(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])), 6 * COMMITS)
      for (const path of ["/a", "/b", "/c"])
        assert.lengthOf(new Set(receiver.at(path).map(({ data }) => data.signature)), 2 * COMMITS)
    }).pipe(Effect.provide(one))
  }).pipe(Effect.scoped),
)
