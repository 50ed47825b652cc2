import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { Bridge } from "../src/Bridge.ts"
import { BridgeWatcherLayer } from "../src/BridgeWatcher.ts"
import { AMPLE, TestBridge } from "./TestBridge.ts"

/** A process that follows swaps, and the effect that ends it. */
const watcher = Effect.gen(function* () {
  const scope = yield* Scope.make()
  yield* Layer.buildWithScope(BridgeWatcherLayer, scope).pipe(Effect.provideService(Bridge, yield* Bridge))
  return Scope.close(scope, Exit.void)
})

layer(TestBridge.layer())("A process that is ended while it waits for the swap service", (it) => {
  it.effect("leaves the swap and the report to others at once", () =>
    Effect.gen(function* () {
      const { read, report, standIn, step, swap } = yield* TestBridge
      const sql = yield* SqlClient
      const [looked, told] = [yield* swap(), yield* swap()]
      yield* TestClock.adjust("20 seconds")
      yield* report(told.depositAddress, "a".repeat(64))
      standIn.trouble("hang", { call: "status" })
      standIn.trouble("hang", { call: "submit" })
      const end = yield* watcher
      yield* Effect.promise(() =>
        standIn.until(() => standIn.calls("submit").length > 0 && standIn.calls("status").length > 0),
      )
      const leased = sql<{ readonly id: string }>`select id from bridge_swaps where lease_until is not null`
      assert.lengthOf(yield* leased, 2)
      yield* end
      assert.lengthOf(yield* leased, 0)
      assert.strictEqual(standIn.open, 0)
      standIn.recover()
      while ((yield* step) > 0) continue
      assert.strictEqual((yield* read(looked.id)).lastCheckedAt, "2026-11-21T12:00:20.000Z")
      assert.strictEqual((yield* read(told.id)).deposits[0].deliveredAt, "2026-11-21T12:00:20.000Z")
    }),
  )
})

const rates = { watch: { perSecond: 2, burst: 2 }, quote: AMPLE }

layer(TestBridge.layer({ rates }))("What a process with a clock a day ahead has left", (it) => {
  it.effect("stops nobody: neither what it took, nor its rests, nor its leases", () =>
    Effect.gen(function* () {
      const { quote, read, standIn, step, swap } = yield* TestBridge
      const sql = yield* SqlClient
      const { id } = yield* swap()
      yield* TestClock.adjust("20 seconds")
      const ahead = new Date("2026-11-22T12:00:00.000Z")
      yield* sql`update bridge_swaps set lease_until = ${ahead}`
      yield* sql`update bridge_budgets set tokens = 0, refilled_at = ${ahead}`
      yield* sql`update bridge_upstream set failures = 9, rests_until = ${ahead}, probe_until = ${ahead}, paused_until = ${ahead}`
      // The first finds nothing left, and begins to refill.
      yield* step
      yield* quote()
      yield* quote({ dry: false })
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual((yield* quote()).status, 200)
      // That of swaps that nobody paid is first asked when there is something to look at.
      assert.strictEqual(yield* step, 0)
      yield* TestClock.adjust("2 seconds")
      assert.strictEqual(yield* step, 1)
      assert.isNotNull((yield* read(id)).lastCheckedAt)
      assert.isAbove(standIn.calls("status").length, 0)
    }),
  )

  it.effect("is taken up again: swaps and reports that it put off, and requests that it had begun", () =>
    Effect.gen(function* () {
      const { quote, read, report, step, swap } = yield* TestBridge
      const { sweep } = yield* Effect.orDie((yield* Bridge).parts)
      const sql = yield* SqlClient
      const { depositAddress, id } = yield* swap()
      yield* report(depositAddress, "b".repeat(64))
      yield* sql`update bridge_swaps set next_poll_at = next_poll_at + interval '1 day'`
      yield* sql`update bridge_deposits set next_attempt_at = next_attempt_at + interval '1 day'`
      yield* TestClock.adjust("10 seconds")
      assert.strictEqual(yield* step, 0)
      yield* sweep
      for (let at = 0; at < 8; at++) {
        yield* step
        yield* TestClock.adjust("2 seconds")
      }
      const seen = yield* read(id)
      assert.isNotNull(seen.lastCheckedAt)
      assert.isNotNull(seen.deposits[0].deliveredAt)
      yield* sql`
        insert into bridge_requests (id, key, request_hash, state, lease_until, created_at, updated_at)
        select gen_random_uuid(), 'ahead', request_hash, 'requesting', lease_until + interval '1 day', created_at, updated_at
        from bridge_requests where id = ${id}::uuid`
      assert.strictEqual((yield* quote({ dry: false }, { "idempotency-key": "ahead" })).status, 200)
    }),
  )
})
