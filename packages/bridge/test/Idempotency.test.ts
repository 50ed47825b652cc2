import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { TestServer } from "../../service/test/TestServer.ts"
import type { Tampering } from "./IntentsFaults.ts"
import { IntentsStandIn } from "./IntentsStandIn.ts"
import { quoteBody, SOL_USER, TestBridge, XLM } from "./TestBridge.ts"

const key = (text: string) => ({ "idempotency-key": text })

const swapCount = Effect.flatMap(SqlClient, (sql) => Effect.map(sql`select from bridge_swaps`, (rows) => rows.length))

layer(TestBridge.layer())("A real quote under an Idempotency-Key", (it) => {
  it.effect("creates one swap however often it is requested, and another one under another key or none", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const before = standIn.calls("quote").length
      const first = yield* quote({ dry: false }, key("one"))
      // Neither the order of fields nor of time matters; the answer is that of the first request.
      yield* TestClock.adjust("10 minutes")
      const again = yield* quote({ dry: false }, key("one"))
      assert.deepStrictEqual(again.body, first.body)
      assert.lengthOf(standIn.calls("quote"), before + 1)
      const ids = [
        first.body.data.id,
        (yield* quote({ dry: false }, key("two"))).body.data.id,
        (yield* quote({ dry: false })).body.data.id,
        (yield* quote({ dry: false })).body.data.id,
      ]
      assert.strictEqual(new Set(ids).size, 4)
    }),
  )

  it.effect("is refused with another body, with 409 before the swap service is called", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      yield* quote({ dry: false }, key("three"))
      const before = standIn.calls("quote").length
      const other = yield* quote({ dry: false, amount: "10000001" }, key("three"))
      assert.strictEqual(other.status, 422)
      assert.strictEqual(other.body.code, "idempotency_key_reused")
      assert.lengthOf(standIn.calls("quote"), before)
      assert.strictEqual((yield* quote({ dry: false }, key("with space"))).status, 400)
      assert.strictEqual((yield* quote({ dry: true }, key("three"))).status, 422)
    }),
  )

  it.effect("is refused with another body also when only the swap still holds the key", () =>
    Effect.gen(function* () {
      const { quote } = yield* TestBridge
      const sql = yield* SqlClient
      const first = yield* quote({ dry: false }, key("long-ago"))
      yield* sql`update idempotent_requests set created_at = now() - interval '24 hours'`
      assert.deepStrictEqual((yield* quote({ dry: false }, key("long-ago"))).body, first.body)
      yield* sql`update idempotent_requests set created_at = now() - interval '24 hours'`
      const other = yield* quote({ dry: false, amount: "10000001" }, key("long-ago"))
      assert.deepStrictEqual([other.status, other.body.code], [422, "idempotency_key_reused"])
    }),
  )

  it.effect("that is dry is requested once as well", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const before = standIn.calls("quote").length
      const first = yield* quote({}, key("dry"))
      yield* TestClock.adjust("1 minute")
      const again = yield* quote({}, key("dry"))
      assert.deepStrictEqual(again.body, first.body)
      assert.isTrue(again.body.data.dry)
      assert.strictEqual(again.headers.get("cache-control"), "no-store")
      assert.lengthOf(standIn.calls("quote"), before + 1)
    }),
  )

  it.effect("is answered from the database while the swap service is down", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      const first = yield* quote({ dry: false }, key("four"))
      standIn.isAway = true
      assert.deepStrictEqual((yield* quote({ dry: false }, key("four"))).body, first.body)
      standIn.recover()
    }),
  )

  it.effect("is not answered with an address that is too late to pay", () =>
    Effect.gen(function* () {
      const { quote } = yield* TestBridge
      const first = yield* quote({ dry: false }, key("five"))
      yield* TestClock.adjust("30 minutes")
      const late = yield* quote({ dry: false }, key("five"))
      assert.strictEqual(late.status, 409)
      assert.strictEqual(late.body.code, "swap_ended")
      assert.strictEqual(late.body.details.id, first.body.data.id)
      assert.notInclude(JSON.stringify(late.body), first.body.data.depositAddress)
    }),
  )

  it.effect("leaves the key free when it fails", () =>
    Effect.gen(function* () {
      const { quote, standIn } = yield* TestBridge
      standIn.trouble({ status: 500 }, { call: "quote", times: 1 })
      const failed = yield* quote({ dry: false }, key("six"))
      assert.strictEqual(failed.status, 503)
      assert.strictEqual(failed.body.details.retryAfterSeconds, 5)
      assert.isAbove(Number(failed.headers.get("retry-after")), 0)
      assert.strictEqual((yield* quote({ dry: false }, key("six"))).status, 200)
      assert.strictEqual((yield* quote({ dry: false, amount: "1" }, key("seven"))).status, 400)
      assert.strictEqual((yield* quote({ dry: false }, key("seven"))).status, 200)
    }),
  )

  it.effect(
    "is requested again after a crash between the answer of the swap service and ours, which no client has seen",
    () =>
      Effect.gen(function* () {
        const { quote } = yield* TestBridge
        const sql = yield* SqlClient
        const first = (yield* quote({ dry: false }, key("eight"))).body.data
        // As a crashed process leaves it: no swap.
        yield* sql`delete from bridge_swaps where id = ${first.id}::uuid`
        yield* sql`delete from transactions where id = ${first.id}::uuid`
        yield* sql`update idempotent_requests set state = 'in_flight', lease_until = now()`
        const second = (yield* quote({ dry: false }, key("eight"))).body.data
        assert.notStrictEqual(second.depositAddress, first.depositAddress)
        assert.lengthOf(yield* sql`select from bridge_swaps where idempotency_key like '%eight'`, 1)
      }),
  )
})

/** Real time, because waiting for another request sleeps. */
const onRealTime = Layer.unwrap(
  Effect.map(IntentsStandIn.make(), (standIn) =>
    Layer.merge(
      TestServer.layer({ bridge: { url: standIn.url, quoteKey: standIn.publicKey } }),
      Layer.succeed(TestBridge, { standIn } as TestBridge["Service"]),
    ),
  ),
)

layer(onRealTime, { excludeTestServices: true })("Concurrent requests with one key", (it) => {
  it.effect(
    "cause one call of the swap service; the others are told that it is in flight, and all get the same answer in the end",
    () =>
      Effect.gen(function* () {
        const { standIn } = yield* TestBridge
        const { request } = yield* TestServer
        standIn.trouble({ slowMillis: 300 }, { call: "quote" })
        const options = { json: quoteBody({ dry: false }), headers: key("race") }
        const ask = request("/api/bridge/quote", options)
        const answers = yield* Effect.all(
          Array.from({ length: 8 }, () => ask),
          { concurrency: 8 },
        )
        const [first, ...others] = answers.toSorted((left, right) => left.status - right.status)
        assert.strictEqual(first!.status, 200)
        for (const { body, headers, status } of others) {
          assert.deepStrictEqual([status, body.code], [409, "request_in_flight"])
          assert.strictEqual(headers.get("retry-after"), "1")
        }
        for (const { body } of yield* Effect.all([ask, ask])) assert.deepStrictEqual(body, first!.body)
        assert.lengthOf(standIn.calls("quote"), 1)
        assert.strictEqual(yield* swapCount, 1)
      }),
  )

  it.effect("continue with another request when the first one fails", () =>
    Effect.gen(function* () {
      const { standIn } = yield* TestBridge
      const { request } = yield* TestServer
      standIn.recover()
      standIn.trouble({ status: 500 }, { call: "quote", times: 1 })
      const options = { json: quoteBody({ dry: false }), headers: key("relay") }
      const ask = request("/api/bridge/quote", options)
      const answers = yield* Effect.all([ask, ask], { concurrency: 2 })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [409, 503])
      assert.strictEqual((yield* ask).status, 200)
    }),
  )
})

const TAMPERINGS: ReadonlyArray<Tampering> = [
  "depositAddress",
  "recipient",
  "refundTo",
  "amount",
  "appFees",
  "deadline",
  "stranger",
  "unsigned",
  "resigned_recipient",
  "resigned_amount",
]

describe("A quote that was tampered with in transit", () => {
  layer(TestBridge.layer())("is refused", (it) => {
    for (const tamper of TAMPERINGS) {
      it.effect(`(${tamper}) is not disclosed, creates no swap, and leaves its key free`, () =>
        Effect.gen(function* () {
          const { quote, standIn } = yield* TestBridge
          const before = yield* swapCount
          standIn.trouble({ tamper }, { call: "quote", times: 1 })
          const { body, status } = yield* quote({ dry: false }, key(tamper))
          const { depositAddress } = standIn.swaps.at(-1)!
          assert.strictEqual(status, 502, JSON.stringify(body))
          assert.notInclude(JSON.stringify(body), depositAddress)
          assert.strictEqual(yield* swapCount, before)
          const { request } = yield* TestServer
          assert.strictEqual((yield* request(`/api/bridge/status/${depositAddress}`)).status, 404)
          assert.strictEqual((yield* quote({ dry: false }, key(tamper))).status, 200)
        }),
      )
    }

    it.effect("even when it is dry", () =>
      Effect.gen(function* () {
        const { quote, standIn } = yield* TestBridge
        standIn.trouble({ tamper: "amount" }, { call: "quote", times: 1 })
        assert.strictEqual((yield* quote()).body.code, "quote_not_trusted")
      }),
    )

    it.effect("when its memo was removed, without which nobody could pay", () =>
      Effect.gen(function* () {
        const { quote, standIn } = yield* TestBridge
        standIn.trouble({ tamper: "depositMode" }, { call: "quote", times: 1 })
        assert.strictEqual((yield* quote({ dry: false })).body.code, "quote_not_trusted")
        assert.strictEqual((yield* quote({ originAsset: XLM, refundTo: SOL_USER })).status, 400)
      }),
    )
  })
})
