import { assert, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { Bridge, bridge } from "../src/Bridge.ts"
import { deliveredDetails, depositedDetails } from "./IntentsTimeline.ts"
import { TestBridge } from "./TestBridge.ts"

/** Another process on the same database. */
const replica = Effect.gen(function* () {
  const { options } = yield* TestBridge
  const sql = yield* SqlClient
  const services = yield* Layer.build(bridge(Option.some(options))).pipe(Effect.provideService(SqlClient, sql))
  return yield* Effect.orDie(Context.get(services, Bridge).parts)
})

layer(TestBridge.layer())("Two processes", (it) => {
  it.effect("poll each swap once between them", () =>
    Effect.gen(function* () {
      const { standIn, swap, step } = yield* TestBridge
      const { watch } = yield* replica
      const swaps = yield* Effect.forEach(Array.from({ length: 12 }), () => swap())
      yield* TestClock.adjust("20 seconds")
      const other = Effect.flatMap(watch(16), (work) => Effect.all(work, { concurrency: "unbounded" }))
      yield* Effect.all([step, other, step, other], { concurrency: "unbounded" })
      assert.deepStrictEqual(
        swaps.map(({ depositAddress }) => standIn.swapAt(depositAddress).polls),
        swaps.map(() => 1),
      )
    }),
  )

  it.effect("take over the claims of a crashed process once they expire", () =>
    Effect.gen(function* () {
      const { read, step, swap } = yield* TestBridge
      const dying = yield* replica
      const { id } = yield* swap()
      yield* TestClock.adjust("20 seconds")
      // Claimed, and never worked on.
      assert.isAbove((yield* dying.watch(16)).length, 0)
      assert.strictEqual(yield* step, 0)
      assert.isNull((yield* read(id)).lastCheckedAt)
      yield* TestClock.adjust("30 seconds")
      while ((yield* step) > 0) continue
      assert.isNotNull((yield* read(id)).lastCheckedAt)
    }),
  )

  it.effect("do not overwrite each other: a process that returns late writes nothing", () =>
    Effect.gen(function* () {
      const { read, standIn, step, swap } = yield* TestBridge
      const stalled = yield* replica
      const { depositAddress, id } = yield* swap()
      const { quote } = standIn.swapAt(depositAddress).response
      yield* TestClock.adjust("1 hour")
      while ((yield* step) > 0) continue
      yield* TestClock.adjust("30 minutes")
      const late = yield* stalled.watch(16)
      assert.isAbove(late.length, 0)
      // While it stalls, another process sees the end.
      yield* TestClock.adjust("31 seconds")
      standIn.tell(depositAddress, [{ status: "SUCCESS", swapDetails: deliveredDetails(quote) }])
      while ((yield* step) > 0) continue
      const seen = yield* read(id)
      assert.strictEqual(seen.status, "success")
      standIn.tell(depositAddress, [{ status: "FAILED" }])
      yield* Effect.all(late, { concurrency: "unbounded" })
      assert.deepStrictEqual(yield* read(id), seen)
    }),
  )
})

const rates = { watch: { perSecond: 2, burst: 2 }, quote: { perSecond: 1_000, burst: 1_000 } }

layer(TestBridge.layer({ rates }))("All processes together", (it) => {
  it.effect("keep within the rate, however much is due", () =>
    Effect.gen(function* () {
      const { standIn, step, swap } = yield* TestBridge
      const { watch } = yield* replica
      const sql = yield* SqlClient
      yield* Effect.forEach(Array.from({ length: 40 }), () => swap())
      yield* TestClock.adjust("20 seconds")
      yield* sql`update bridge_swaps set deposit_shown = true`
      const other = Effect.flatMap(watch(16), (work) => Effect.all(work, { concurrency: "unbounded" }))
      for (let at = 0; at < 30; at++) {
        yield* Effect.all([step, other, step], { concurrency: "unbounded" })
        yield* TestClock.adjust("500 millis")
      }
      const asked = standIn.calls("status").length
      // Two at first, and two a second for fourteen and a half seconds.
      assert.strictEqual(asked, 31)
    }),
  )
})

it.effect("A pause that the swap service asks for holds for all processes, and swaps stay unchanged", () =>
  Effect.gen(function* () {
    const { pass, quote, read, standIn, step, swap } = yield* TestBridge
    const other = yield* replica
    const { depositAddress, id } = yield* swap()
    const { quote: quoted } = standIn.swapAt(depositAddress).response
    standIn.tell(depositAddress, [{ status: "PROCESSING", swapDetails: depositedDetails(quoted) }])
    yield* pass(20)
    standIn.trouble({ status: 429, retryAfter: "90" }, { call: "status", times: 1 })
    yield* pass(6)
    const before = standIn.seen.length
    yield* TestClock.adjust("80 seconds")
    assert.strictEqual(yield* step, 0)
    assert.lengthOf(yield* other.watch(16), 0)
    const refused = yield* quote()
    assert.strictEqual(refused.status, 503)
    assert.isAtMost(refused.body.details.retryAfterSeconds, 10)
    assert.match(refused.body.message, /pause/)
    assert.lengthOf(standIn.seen, before)
    assert.deepInclude(yield* read(id), { status: "pending", substatus: "processing", stale: true })
    yield* pass(60)
    assert.isAbove(standIn.seen.length, before)
    assert.strictEqual((yield* quote()).status, 200)
    assert.strictEqual((yield* read(id)).stale, false)
  }).pipe(Effect.provide(TestBridge.layer())),
)
