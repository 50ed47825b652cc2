import { assert, layer } from "@effect/vitest"
import { BridgeOutcomes } from "@launch-registry/domain/notifications/BridgeOutcomes"
import { Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { commitChanges, sampleChange } from "../stream/IndexChanges.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { ENDPOINTS_PER_STATEMENT, fanOut } from "../../src/notifications/FanOut.ts"
import { NotificationReceiver } from "./NotificationReceiver.ts"
import {
  call,
  deliverAll,
  endpoint,
  followAll,
  insertEndpoints,
  messagesOf,
  OPTIONS,
  parts,
  patch,
  serverOf,
} from "./TestNotifications.ts"
import { until } from "./Until.ts"

layer(serverOf(), { excludeTestServices: true })("Notifications", (it) => {
  it.effect("lock nothing while the index has no new commit", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      yield* commitChanges(sampleChange("trade", sampleAddress()))
      yield* followAll
      const locker = sql`select xmax::text from server_progress where name = 'notifications'`
      const before = yield* locker
      yield* followAll
      assert.deepStrictEqual(yield* locker, before)
    }),
  )

  it.effect("enable an endpoint after what is being followed, so that no event is of neither", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const receiver = yield* NotificationReceiver.make
      const { id } = yield* endpoint(receiver.url)
      yield* patch(id, { enabled: false })
      const enabling = yield* Effect.gen(function* () {
        // Another process follows the index.
        yield* sql`select from server_progress where name = 'notifications' for update`
        const fiber = yield* Effect.forkDetach(patch(id, { enabled: true }))
        yield* until(
          sql`
            select from pg_locks w where not w.granted and exists (
              select from pg_locks l where l.pid = w.pid and l.relation = 'server_progress'::regclass
                and l.database = (select oid from pg_database where datname = current_database()))`,
          (waiting) => waiting.length > 0 || fiber.pollUnsafe() !== undefined,
        )
        assert.isUndefined(fiber.pollUnsafe())
        return fiber
      }).pipe(sql.withTransaction)
      assert.strictEqual((yield* Fiber.join(enabling)).body.data.state, "enabled")
    }),
  )

  it.effect("let an attempt in flight not undo a redelivery", () =>
    Effect.gen(function* () {
      const receiver = yield* NotificationReceiver.make
      const { id: endpointId } = yield* endpoint(receiver.url)
      const { deliverTo } = yield* parts
      for (const redeliver of [
        (messageId: string) => call("/redeliver", { messageId }),
        () => call("/redeliver-failed", { endpointId, since: "2026-01-01" }),
      ]) {
        receiver.received.length = 0
        yield* call("/test", { endpointId })
        const [{ id }] = yield* messagesOf(endpointId)
        let answer = () => {}
        receiver.answers = (_, response) => {
          if (receiver.received.length > 1) response.writeHead(204).end()
          else answer = () => response.writeHead(500).end()
        }
        const attempt = yield* Effect.forkChild(deliverTo(endpointId))
        yield* until(
          Effect.sync(() => receiver.received.length),
          (count) => count > 0,
        )
        const sql = yield* SqlClient
        yield* sql`
          update notification_messages set state = 'failed', settled_at = now() where id = ${id}::uuid`
        assert.strictEqual((yield* redeliver(id)).status, 200)
        answer()
        yield* Fiber.join(attempt)
        yield* deliverAll
        assert.deepInclude((yield* messagesOf(endpointId))[0], { id, state: "delivered", attempts: 1 })
      }
    }),
  )

  it.effect(
    "lock what events are sent to, operators' endpoints first and then those of wallets, a page at a time",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient
        const [mine, other] = [sampleAddress(), sampleAddress()]
        yield* insertEndpoints(
          4_500,
          "case when n % 3 = 0 then 'key:' else 'wallet:' end || n",
          `array[case when n % 2 = 0 then '${mine}' else '${other}' end]`,
        )
        const isLocked = sql`xmax = pg_current_xact_id()::xid and mint_addresses = array[${mine}]`
        const lockedOf = sql<{ readonly owner: string }>`
        select owner from notification_endpoints where ${isLocked} order by owner like 'wallet:%', id`
        yield* Effect.gen(function* () {
          const { forPages } = yield* fanOut(OPTIONS)
          const pages: Array<ReadonlyArray<string>> = []
          yield* forPages(sql`e.mint_addresses = array[${mine}]`, (page) =>
            Effect.map(lockedOf, (locked) => {
              pages.push(page.map(({ id }) => id))
              // No statement locks more than is used next.
              assert.lengthOf(locked, pages.flat().length)
            }),
          )
          assert.deepStrictEqual(
            pages.map(({ length }) => length),
            [750, ENDPOINTS_PER_STATEMENT, 500],
          )
          const ordered = yield* sql<{ readonly id: string }>`
          select id from notification_endpoints where mint_addresses = array[${mine}] order by owner like 'wallet:%', id`
          assert.deepStrictEqual(
            pages.flat(),
            ordered.map(({ id }) => id),
          )
        }).pipe(sql.withTransaction)

        yield* sql`update server_progress set change_id = (select coalesce(max(id), 0) from index_changes) where name = 'notifications'`
        yield* commitChanges(sampleChange("trade", mine))
        yield* followAll
        const [locked] = yield* sql<{ readonly mine: bigint; readonly other: bigint; readonly sent: bigint }>`
        select count(*) filter (where mint_addresses = array[${mine}] and xmax <> '0'::xid) as mine,
          count(*) filter (where mint_addresses = array[${other}] and xmax <> '0'::xid) as other,
          (select count(*) from notification_messages m join notification_endpoints e on e.id = m.endpoint_id
            where e.mint_addresses = array[${mine}]) as sent
        from notification_endpoints`
        assert.deepStrictEqual(locked, { mine: 2_250n, other: 0n, sent: 2_250n })
        yield* sql`delete from notification_endpoints where types = '{trade}' and cardinality(mint_addresses) = 1`
      }),
  )

  it.effect("lock for the outcome of a swap only the endpoints that ask for it", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient
      const outcomes = yield* BridgeOutcomes
      const { id: trades } = yield* endpoint("http://127.0.0.1:9/trades", { types: ["trade"] })
      yield* sql`update notification_endpoints set is_skipping = true where id = ${trades}::uuid`
      const { id: swaps } = yield* endpoint("http://127.0.0.1:9/swaps", { types: ["trade", "bridge"] })
      yield* Effect.gen(function* () {
        yield* outcomes.add({ type: "bridge" } as never, new Date())
        const rows = yield* sql<{ readonly id: string; readonly isLocked: boolean }>`
          select id, xmax = pg_current_xact_id()::xid as is_locked from notification_endpoints
          where id in (${trades}::uuid, ${swaps}::uuid) order by id`
        assert.deepStrictEqual(
          rows.map(({ isLocked }) => isLocked),
          [false, true],
        )
      }).pipe(sql.withTransaction)
    }),
  )
})
