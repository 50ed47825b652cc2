import { assert, layer } from "@effect/vitest"
import * as TestDatabase from "@launch-registry/migrations/TestDatabase"
import { Clock, Deferred, Effect, Exit, Fiber, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { Bridge } from "../src/Bridge.ts"
import { BridgeWatcherLayer } from "../src/BridgeWatcher.ts"
import { TestBridge } from "./TestBridge.ts"

/** A process that follows swaps, and the effect that ends it. */
const watcher = Effect.gen(function* () {
  const scope = yield* Scope.make()
  yield* Layer.buildWithScope(BridgeWatcherLayer, scope).pipe(Effect.provideService(Bridge, yield* Bridge))
  return Scope.close(scope, Exit.void)
})

layer(TestBridge.layer())("A process that stops while it waits for the swap service", (it) => {
  it.effect("releases the swap and the report at once", () =>
    Effect.gen(function* () {
      const { read, report, standIn, step, swap } = yield* TestBridge
      const sql = yield* SqlClient
      const [polled, reported] = [yield* swap(), yield* swap()]
      yield* TestClock.adjust("20 seconds")
      yield* report(reported.depositAddress, "a".repeat(64))
      standIn.trouble("hang", { call: "status" })
      standIn.trouble("hang", { call: "submit" })
      const end = yield* watcher
      yield* Effect.promise(() =>
        standIn.until(() => standIn.calls("submit").length > 0 && standIn.calls("status").length > 0),
      )
      const leased = Effect.flatMap(
        Clock.currentTimeMillis,
        (now) => sql`select id from bridge_swaps where lease_until > ${new Date(now)}`,
      )
      assert.lengthOf(yield* leased, 2)
      yield* end
      assert.lengthOf(yield* leased, 0)
      assert.strictEqual(standIn.open, 0)
      standIn.recover()
      while ((yield* step) > 0) continue
      assert.strictEqual((yield* read(polled.id)).lastCheckedAt, "2026-11-21T12:00:20.000Z")
      assert.strictEqual((yield* read(reported.id)).deposits[0].deliveredAt, "2026-11-21T12:00:20.000Z")
    }),
  )
})

layer(TestBridge.layer())("A process that submits a deposit after its lease has expired", (it) => {
  it.effect("does not change the state of the current holder", () =>
    Effect.gen(function* () {
      const { report, standIn, swap } = yield* TestBridge
      const { watch } = yield* Effect.orDie((yield* Bridge).parts)
      const sql = yield* SqlClient
      yield* report((yield* swap()).depositAddress, "d".repeat(64))
      const [late] = yield* watch(1)
      yield* TestClock.adjust("31 seconds")
      yield* watch(16)
      const leases = sql`select d.*, s.version from bridge_deposits d join bridge_swaps s on s.id = d.swap_id`
      const held = yield* leases
      standIn.trouble({ status: 500 })
      yield* late!
      assert.strictEqual(standIn.calls("submit").length, 1)
      assert.deepStrictEqual(yield* leases, held)
    }),
  )
})

layer(TestBridge.layer())("A process that stops while the result of a submission is being committed", (it) => {
  /** Interrupts the submission of a report during its commit, which completes; returns the stored report. */
  const endedInCommit = (hash: string) =>
    Effect.gen(function* () {
      const { report, step, swap } = yield* TestBridge
      const { watch } = yield* Effect.orDie((yield* Bridge).parts)
      const sql = yield* SqlClient
      while ((yield* step) > 0) continue
      yield* report((yield* swap()).depositAddress, hash)
      const [work] = yield* watch(1)
      const isWaiting = Effect.map(
        sql`select from pg_locks where locktype = 'advisory' and not granted and pid <> pg_backend_pid()`,
        (rows) => rows.length > 0,
      )
      const [held, ending] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holding = yield* Effect.forkChild(
        sql`select pg_advisory_xact_lock(1)`.pipe(
          Effect.andThen(Deferred.succeed(held, undefined)),
          Effect.andThen(Deferred.await(ending)),
          sql.withTransaction,
        ),
      )
      yield* Deferred.await(held)
      const working = yield* Effect.forkChild(work!)
      while (!(yield* isWaiting)) yield* Effect.yieldNow
      const interrupted = yield* Effect.forkChild(Fiber.interrupt(working), { startImmediately: true })
      yield* Deferred.succeed(ending, undefined)
      yield* Fiber.join(holding)
      yield* Fiber.join(interrupted)
      const [kept] = yield* sql`
        select delivered_at is not null as is_delivered, last_error is not null as is_failed, next_attempt_at is null as is_done
        from bridge_deposits where tx_hash = ${hash}`
      return kept!
    })

  it.effect("keeps that result: no accepted report is submitted again", () =>
    Effect.gen(function* () {
      const { standIn } = yield* TestBridge
      const sql = yield* SqlClient
      yield* sql`
        create function wait_for_test() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock(1); return null; end $$`
      yield* sql`
        create constraint trigger wait_for_test after update on bridge_deposits deferrable initially deferred
        for each row when (new.last_error is not null or new.delivered_at is not null) execute function wait_for_test()`
      assert.deepStrictEqual(yield* endedInCommit("e".repeat(64)), { isDelivered: true, isFailed: false, isDone: true })
      standIn.trouble({ status: 500 }, { call: "submit" })
      assert.deepStrictEqual(yield* endedInCommit("f".repeat(64)), {
        isDelivered: false,
        isFailed: true,
        isDone: false,
      })
    }),
  )
})

const ahead = { startMillis: Date.parse("2100-01-01T00:00:00.000Z") }

layer(TestBridge.layer({ database: TestDatabase.layerOnItsClock, ...ahead }))(
  "A process whose clock is years ahead",
  (it) => {
    it.effect("delays nothing, because leases, due times, rates and backoffs use the database's clock", () =>
      Effect.gen(function* () {
        const { quote, report, standIn, step, swap } = yield* TestBridge
        const sql = yield* SqlClient
        const polled = yield* swap()
        const reported = yield* swap()
        yield* sql`update bridge_swaps set next_poll_at = now() where id = ${polled.id}::uuid`
        yield* report(reported.depositAddress, "c".repeat(64))
        standIn.trouble({ status: 500 })
        assert.isAbove(yield* step, 1)
        for (let failure = 0; failure < 5; failure++) yield* quote()
        standIn.recover()
        standIn.trouble({ status: 429, retryAfter: "90" }, { call: "tokens" })
        yield* TestClock.adjust("6 minutes")
        yield* quote()
        const instants = yield* sql<{ readonly name: string; readonly isNear: boolean }>`
        select name, bool_and(at between now() - interval '1 hour' and now() + interval '1 hour') as is_near from (
          select 'next_poll_at' as name, next_poll_at as at from bridge_swaps
          union all select 'next_attempt_at', next_attempt_at from bridge_deposits
          union all select 'refilled_at', refilled_at from bridge_upstream where refilled_at > 'epoch'
          union all select 'rests_until', rests_until from bridge_upstream
          union all select 'answered_at', answered_at from bridge_upstream
          union all select 'paused_until', paused_until from bridge_upstream) all_instants
        where at is not null group by name order by name`
        const names = ["answered_at", "next_attempt_at", "next_poll_at", "paused_until", "refilled_at", "rests_until"]
        assert.deepStrictEqual(
          instants,
          names.map((name) => ({ name, isNear: true })),
        )
      }),
    )
  },
)
