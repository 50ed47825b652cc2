import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql/SqlClient"
import { TestClock } from "effect/testing"
import { swapQueue } from "../src/SwapQueue.ts"
import { copiedSwaps } from "./CopiedSwaps.ts"
import { depositedDetails } from "./IntentsTimeline.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import { AMPLE, TestBridge } from "./TestBridge.ts"

const hash = (digit: string) => digit.repeat(64)

const slow = { watch: { perSecond: 2, burst: 2 }, quote: AMPLE }

it.effect(
  "A funded swap is polled on time while thousands of unpaid quotes are overdue, and these are polled as well",
  () =>
    Effect.gen(function* () {
      const { pass, standIn, step, swap } = yield* TestBridge
      const [funded, unpaid] = [yield* swap(), yield* swap()]
      const { quote } = standIn.swapAt(funded.depositAddress).response
      standIn.tell(funded.depositAddress, [{ status: "PROCESSING", swapDetails: depositedDetails(quote) }])
      yield* pass(25)
      assert.strictEqual(standIn.swapAt(funded.depositAddress).polls > 0, true)
      // All of them have waited for longer than the funded one.
      yield* copiedSwaps(unpaid.id, 3_000, -3_600_000)
      const before = standIn.swapAt(funded.depositAddress).polls
      const asked = standIn.calls("status").length
      for (let at = 0; at < 60; at++) {
        yield* TestClock.adjust("500 millis")
        yield* step
      }
      const found = standIn.swapAt(funded.depositAddress).polls - before
      // Every three to five seconds, and occasionally one poll later.
      assert.isAtLeast(found, 4)
      assert.isAtLeast(standIn.calls("status").length - asked - found, 40)
    }).pipe(Effect.provide(TestBridge.layer({ rates: slow }))),
)

it.effect("A report is submitted within seconds, however many unpaid quotes are overdue", () =>
  Effect.gen(function* () {
    const { report, standIn, step, swap } = yield* TestBridge
    const unpaid = yield* swap()
    yield* copiedSwaps(unpaid.id, 500)
    yield* TestClock.adjust("1 hour")
    const { depositAddress } = yield* swap()
    const half = Effect.andThen(TestClock.adjust("500 millis"), step)
    for (let at = 0; at < 40; at++) yield* half
    yield* report(depositAddress, hash("d"))
    for (let at = 0; at < 6; at++) yield* half
    assert.deepStrictEqual(standIn.swapAt(depositAddress).submitted, [hash("d")])
  }).pipe(Effect.provide(TestBridge.layer({ rates: slow }))),
)

it.effect("Reading an unpaid swap moves its poll ahead of all other unpaid ones", () =>
  Effect.gen(function* () {
    const { standIn, step, swap } = yield* TestBridge
    const { request } = yield* TestServer
    const { depositAddress, id } = yield* swap()
    const other = yield* swap()
    yield* TestClock.adjust("2 hours")
    while ((yield* step) > 0) continue
    yield* copiedSwaps(other.id, 1_000, -7_200_000)
    const before = standIn.swapAt(depositAddress).polls
    yield* TestClock.adjust("11 seconds")
    yield* request(`/api/bridge/status/${depositAddress}`)
    // At the pace of the rate limit it would take eleven minutes.
    for (let at = 0; at < 20; at++) yield* Effect.andThen(step, TestClock.adjust("500 millis"))
    assert.strictEqual(standIn.swapAt(depositAddress).polls, before + 1, id)
  }).pipe(Effect.provide(TestBridge.layer({ rates: slow }))),
)

it.effect("With many funded swaps, a quarter of the polls goes to swaps that may have been paid", () =>
  Effect.gen(function* () {
    const { standIn, step, swap } = yield* TestBridge
    const sql = yield* SqlClient
    const [funded, unpaid] = [yield* swap(), yield* swap()]
    yield* sql`update bridge_swaps set deposit_shown = true where id = ${funded.id}::uuid`
    for (const { id } of [funded, unpaid]) yield* copiedSwaps(id, 400)
    yield* TestClock.adjust("1 hour")
    for (let at = 0; at < 16; at++) yield* step
    const of = (swap: { readonly depositAddress: string }) =>
      standIn.calls("status").filter(({ asked }) => String(asked.depositAddress).startsWith(swap.depositAddress)).length
    assert.deepStrictEqual([of(funded), of(unpaid)], [192, 64])
  }).pipe(Effect.provide(TestBridge.layer())),
)

layer(TestBridge.layer())("With stale planner statistics", (it) => {
  it.effect("finding due swaps never scans the whole table", () =>
    Effect.gen(function* () {
      const { report, swap } = yield* TestBridge
      const sql = yield* SqlClient
      const { depositAddress, id } = yield* swap()
      yield* report(depositAddress, hash("c"))
      for (const table of ["bridge_swaps", "bridge_deposits"])
        yield* sql`alter table ${sql(table)} set (autovacuum_enabled = false)`
      yield* copiedSwaps(id, 8_000, -3_600_000)
      yield* sql`
        insert into bridge_deposits (swap_id, tx_hash, reported_at, next_attempt_at)
        select swap_id, tx_hash || id, reported_at, next_attempt_at - interval '1 hour' from bridge_deposits, bridge_swaps`
      // Everything was due, and now nothing is.
      yield* sql`analyze bridge_swaps, bridge_deposits`
      yield* sql`update bridge_swaps set next_poll_at = next_poll_at + interval '1 day'`
      yield* sql`update bridge_deposits set next_attempt_at = next_attempt_at + interval '1 day'`
      const queue = yield* swapQueue
      const scans = sql<{ readonly scans: bigint }>`
        select seq_scan as scans from pg_stat_xact_user_tables
        where relname in ('bridge_swaps', 'bridge_deposits') order by relname`
      yield* Effect.gen(function* () {
        const before = yield* scans
        for (let at = 0; at < 8; at++) assert.lengthOf(yield* queue.claim(16), 0)
        assert.deepStrictEqual(yield* scans, before)
        // Rows that a scan of the whole table reads are counted.
        yield* sql`select count(*) from bridge_swaps where attempts > 7`
        assert.notDeepEqual(yield* scans, before)
      }).pipe(sql.withTransaction)
    }),
  )
})
