import { assert, it, layer } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { Bridge, bridge } from "../src/Bridge.ts"
import { BridgeWatcherLayer } from "../src/BridgeWatcher.ts"
import { TestServer } from "../../service/test/TestServer.ts"
import type { IntentsTrouble } from "./IntentsFaults.ts"
import { IntentsStandIn } from "./IntentsStandIn.ts"
import { deliveredDetails, depositedDetails, refundedDetails, type TimelineStep } from "./IntentsTimeline.ts"
import { AMPLE, quoteBody, TestBridge } from "./TestBridge.ts"

type Quote = Readonly<Record<string, unknown>>

/** Courses of swaps, and their ends. */
const COURSES: ReadonlyArray<readonly [end: string, steps: (quote: Quote) => ReadonlyArray<TimelineStep>]> = [
  [
    "success delivered",
    (quote) => [
      { afterMillis: 30_000, status: "KNOWN_DEPOSIT_TX", swapDetails: depositedDetails(quote) },
      { afterMillis: 60_000, status: "PROCESSING", swapDetails: depositedDetails(quote) },
      { afterMillis: 90_000, status: "SUCCESS", swapDetails: deliveredDetails(quote) },
    ],
  ],
  [
    "failed refunded",
    (quote) => [
      { afterMillis: 30_000, status: "INCOMPLETE_DEPOSIT", swapDetails: depositedDetails(quote, "5") },
      { afterMillis: 120_000, status: "REFUNDED", swapDetails: refundedDetails(quote) },
    ],
  ],
  ["failed refunded", (quote) => [{ afterMillis: 45_000, status: "SUCCESS", swapDetails: refundedDetails(quote) }]],
  [
    "failed refunded",
    (quote) => [
      { afterMillis: 45_000, status: "FAILED", swapDetails: depositedDetails(quote) },
      { afterMillis: 7_200_000, status: "REFUNDED", swapDetails: refundedDetails(quote) },
    ],
  ],
  ["failed expired", () => []],
  ["pending needs_review", () => [{ afterMillis: 45_000, status: "SUCCESS" }]],
  ["pending unknown", () => [{ afterMillis: 45_000, status: "HALTED" }]],
  [
    "success delivered",
    (quote) => [
      { afterMillis: 30_000, status: "404" },
      { afterMillis: 5_400_000, status: "SUCCESS", swapDetails: deliveredDetails(quote) },
    ],
  ],
]

const TROUBLES: ReadonlyArray<IntentsTrouble> = [
  "reset",
  "html",
  "malformed_json",
  "unknown_address",
  { status: 500 },
  { status: 502, isHtml: true },
  { status: 400 },
  { status: 429, retryAfter: "2" },
]

it.effect(
  "Swaps reach their expected ends with three faults in ten answers and processes that crash while they hold claims",
  () =>
    Effect.gen(function* () {
      const { options, pass, read, standIn, step, swap } = yield* TestBridge
      const sql = yield* SqlClient
      const services = yield* Layer.build(bridge(Option.some(options))).pipe(Effect.provideService(SqlClient, sql))
      const dying = yield* Effect.orDie(Context.get(services, Bridge).parts)
      const swaps = yield* Effect.forEach(Array.from({ length: 48 }), () => swap())
      for (const [at, { depositAddress }] of swaps.entries()) {
        const { quote } = standIn.swapAt(depositAddress).response
        standIn.tell(depositAddress, COURSES[at % COURSES.length]![1](quote))
      }
      /** The next ten answers: three of them are faults, of every kind in turn. */
      let turn = 0
      const faults = Effect.sync(() => {
        standIn.recover()
        for (let at = 0; at < 3; at++)
          standIn.trouble(TROUBLES[turn++ % TROUBLES.length]!, { call: "status", times: 1 })
      })
      for (let minute = 0; minute < 40; minute++) {
        yield* faults
        // A process that claims and crashes.
        if (minute % 5 === 0) yield* dying.watch(4)
        yield* TestClock.adjust("30 seconds")
        yield* step
        yield* step
        yield* TestClock.adjust("30 seconds")
        yield* step
        yield* step
      }
      for (let half = 0; half < 10; half++) {
        yield* faults
        yield* TestClock.adjust("30 minutes")
        yield* pass(2)
      }
      standIn.recover()
      for (let half = 0; half < 4; half++) {
        yield* TestClock.adjust("30 minutes")
        yield* pass(2)
      }
      const ends = yield* Effect.forEach(swaps, ({ id }) => read(id))
      assert.deepStrictEqual(
        ends.map(({ status, substatus }) => `${status} ${substatus}`),
        swaps.map((_, at) => COURSES[at % COURSES.length]![0]),
      )
      const records = yield* sql<{ readonly id: string; readonly status: string }>`select id, status from transactions`
      const statusOf = new Map(records.map(({ id, status }) => [id, status]))
      assert.deepStrictEqual(
        ends.map(({ id }) => statusOf.get(id)),
        ends.map(({ status }) => status),
      )
      // A refund is never shown as success in between.
      const wrong = yield* sql`
        select id from bridge_swaps, jsonb_array_elements(events) e
        where e ->> 'status' = 'success' and e ->> 'substatus' <> 'delivered'`
      assert.lengthOf(wrong, 0)
    }).pipe(Effect.provide(TestBridge.layer())),
)

/** With the layer that follows swaps, on real time. */
const followed = Layer.unwrap(
  Effect.map(IntentsStandIn.make(), (standIn) =>
    BridgeWatcherLayer.pipe(
      Layer.provideMerge(
        TestServer.layer({
          bridge: { url: standIn.url, quoteKey: standIn.publicKey, rates: { watch: AMPLE, quote: AMPLE } },
        }),
      ),
      Layer.provideMerge(Layer.succeed(TestBridge, { standIn } as TestBridge["Service"])),
    ),
  ),
)

layer(followed, { excludeTestServices: true })("A process that follows swaps", (it) => {
  it.effect("polls the list of assets by itself, so that it notices an outage of the swap service", () =>
    Effect.gen(function* () {
      const { standIn } = yield* TestBridge
      const { request } = yield* TestServer
      yield* Effect.promise(() => standIn.until(() => standIn.calls("tokens").length > 0))
      while ((yield* request("/")).body.data.bridge.status !== "up") yield* Effect.sleep(20)
      assert.lengthOf(standIn.calls("tokens"), 1)
    }),
  )

  it.effect("submits reports and polls swaps by itself", () =>
    Effect.gen(function* () {
      const { standIn } = yield* TestBridge
      const { request } = yield* TestServer
      const { body } = yield* request("/api/bridge/quote", { json: quoteBody({ dry: false }) })
      const { depositAddress, id } = body.data
      const { quote } = standIn.swapAt(depositAddress).response
      standIn.tell(depositAddress, [{ afterSubmit: true, status: "SUCCESS", swapDetails: deliveredDetails(quote) }])
      yield* request("/api/bridge/deposit", { json: { depositAddress, txHash: "a".repeat(64) } })
      yield* Effect.promise(() => standIn.until(() => standIn.swapAt(depositAddress).polls > 0))
      for (;;) {
        const { data } = (yield* request(`/api/bridge/swaps/${id}`)).body
        if (data.status === "success") break
        yield* Effect.sleep(20)
      }
      assert.lengthOf(standIn.calls("submit"), 1)
    }),
  )
})

layer(Layer.provideMerge(BridgeWatcherLayer, TestServer.layer()))("A process without a swap service", (it) => {
  it.effect("follows nothing and serves everything else", () =>
    Effect.gen(function* () {
      const { request } = yield* TestServer
      assert.strictEqual((yield* request("/api/bridge/swaps")).status, 503)
      assert.strictEqual((yield* request("/api/tokens")).status, 200)
    }),
  )
})
