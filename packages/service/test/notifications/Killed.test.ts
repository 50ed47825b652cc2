import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { Webhook } from "standardwebhooks"
import { NotificationReceiver } from "../../../server/test/notifications/NotificationReceiver.ts"
import { until } from "../../../server/test/notifications/Until.ts"
import { commitChanges, sampleChange } from "../../../server/test/stream/IndexChanges.ts"
import { testUrlOf } from "../DatabaseUrls.ts"
import { Replica } from "../Replica.ts"
import { sampleAddress } from "../Samples.ts"
import { temporaryFolder } from "../TemporaryFolder.ts"

const ADMIN_KEY = "admin-key-of-the-test-of-notifications"
const TRADES = 30
/** Answered before the receiver hangs. */
const ANSWERED = 6

it.live("A process that is killed with -9 while it delivers loses no message", () =>
  Effect.gen(function* () {
    const name = yield* TestDatabase.migrated
    const folder = yield* temporaryFolder
    const receiver = yield* NotificationReceiver.make
    const replica = yield* Effect.acquireRelease(
      Effect.promise(() =>
        Replica.of({
          DATABASE_URL: testUrlOf(name),
          ...{ DATA_FOLDER: folder, INDEXER_SOURCE: "off", ADMIN_KEY },
          NOTIFICATIONS_SECRET: "master-secret-of-the-test-of-notifications",
        }),
      ),
      (one) => Effect.promise(() => one.stop()),
    )
    yield* Effect.promise(() => replica.start())
    yield* Effect.gen(function* () {
      const sql = yield* SqlClient
      const response = yield* Effect.promise(() =>
        fetch(`${replica.url}/api/notifications/endpoints`, {
          method: "POST",
          headers: { authorization: `Bearer ${ADMIN_KEY}`, "content-type": "application/json" },
          body: JSON.stringify({ url: receiver.url, types: ["trade"] }),
        }),
      )
      const { data } = (yield* Effect.promise(() => response.json())) as { readonly data: { readonly secret: string } }
      receiver.answers = (_, answer) => {
        if (receiver.received.length <= ANSWERED) answer.writeHead(204).end()
      }
      const trades = Array.from({ length: TRADES }, () => sampleChange("trade", sampleAddress()))
      yield* commitChanges(...trades.slice(0, TRADES / 2))
      yield* commitChanges(...trades.slice(TRADES / 2))
      yield* until(
        Effect.sync(() => receiver.received.length),
        (count) => count > ANSWERED,
      )
      yield* Effect.promise(() => replica.kill())
      receiver.answers = 204

      // The leases of the dead process are over.
      yield* sql`update notification_messages set next_attempt_at = now() where state = 'pending'`
      yield* Effect.promise(() => replica.start())
      yield* until(
        sql<{ readonly state: string; readonly count: bigint }>`
          select state, count(*) as count from notification_messages group by state`,
        (rows) => rows.some(({ count, state }) => state === "delivered" && Number(count) === TRADES),
      )
      assert.lengthOf(yield* sql`select from notification_messages`, TRADES)
      const received = receiver.at("/").map((event) => event.data.signature)
      assert.sameMembers(
        [...new Set(received)],
        trades.map((trade) => (trade as { readonly signature: string }).signature),
      )
      // What came twice has the same id.
      assert.lengthOf(new Set(receiver.received.map(({ headers }) => headers["webhook-id"])), TRADES)
      assert.isAbove(received.length, TRADES)
      for (const { body, headers } of receiver.received) new Webhook(data.secret).verify(body, headers)
    }).pipe(Effect.provide(TestDatabase.connectionsTo(name)))
  }).pipe(Effect.scoped),
)
