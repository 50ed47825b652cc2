import { assert, it, layer } from "@effect/vitest"
import { Effect, Logger, References } from "effect"
import { TestClock } from "effect/testing"
import { SqlClient } from "effect/sql/SqlClient"
import { deliveredDetails, depositedDetails } from "./IntentsTimeline.ts"
import { TestBridge } from "./TestBridge.ts"

type Details = Readonly<Record<string, unknown>>

/** A swap polled while the swap service gives this answer. */
const polledWith = Effect.fnUntraced(function* (
  status: string,
  details: (quote: Details) => Details,
  fields: Readonly<Record<string, unknown>> = {},
) {
  const { pass, read, standIn, swap } = yield* TestBridge
  const { depositAddress, id } = yield* swap(fields)
  const { quote } = standIn.swapAt(depositAddress).response
  standIn.tell(depositAddress, [{ status, swapDetails: details(quote) }])
  yield* pass(21)
  return { depositAddress, id, seen: yield* read(id) }
})

layer(TestBridge.layer())("An unexpected answer of the swap service", (it) => {
  it.effect("with fields of another shape counts by its status, and the timeline names the fields", () =>
    Effect.gen(function* () {
      const { seen } = yield* polledWith("SUCCESS", (quote) => ({
        ...deliveredDetails(quote),
        amountOut: 9_990_000,
        refundedAmount: "9.5",
        depositedAmount: "-5",
        refundFee: {},
      }))
      assert.deepInclude(seen, { status: "success", substatus: "delivered", refundedAmount: null, stale: false })
      assert.strictEqual(
        seen.timeline.at(-1).detail,
        "not readable: amountOut, depositedAmount, refundedAmount, refundFee",
      )
      const { seen: lost } = yield* polledWith("PROCESSING", () => ({ originChainTxHashes: 7, refundReason: [1] }))
      assert.deepInclude(lost, { substatus: "processing", originTxs: [], refundReason: null })
    }),
  )

  it.effect("is stored without NUL, lone surrogates and bidi control characters", () =>
    Effect.gen(function* () {
      const { seen } = yield* polledWith("ON\u202e_HO\u0000LD", (quote) => ({
        ...depositedDetails(quote),
        refundReason: `a\u0000b\ud800c\u202e${"x".repeat(200_000)}`,
      }))
      assert.deepInclude(seen, { upstreamStatus: "ON_HOLD", substatus: "unknown" })
      assert.match(seen.refundReason, /^abcx+$/)
      assert.isAtMost(seen.refundReason.length, 500)
      const { seen: long } = yield* polledWith("S".repeat(150), () => ({}))
      assert.strictEqual(long.upstreamStatus, "S".repeat(64))
    }),
  )

  it.effect("with invalid links and hashes loses those, and lists are truncated", () =>
    Effect.gen(function* () {
      const { seen } = yield* polledWith("PROCESSING", () => ({
        originChainTxHashes: [
          { hash: "0xb", explorerUrl: "javascript:alert(1)" },
          { hash: "0xa", explorerUrl: "https://explorer.test/tx/0xa" },
          { hash: "<img src=x>", explorerUrl: "https://explorer.test/tx/1" },
          { hash: "0xc", explorerUrl: 'https://explorer.test/"onload=' },
          { hash: "0xd", explorerUrl: "http://explorer.test/tx/0xd" },
          { hash: "0xa" },
        ],
        destinationChainTxHashes: Array.from({ length: 5_000 }, (_, at) => ({ hash: `0x${at}` })),
      }))
      assert.deepStrictEqual(seen.originTxs, [
        { hash: "0xa", explorerUrl: "https://explorer.test/tx/0xa" },
        ...["0xb", "0xc", "0xd"].map((hash) => ({ hash, explorerUrl: null })),
      ])
      assert.lengthOf(seen.destinationTxs, 50)
    }),
  )

  it.effect("that says the same in other words is no progress: the swap stalls", () =>
    Effect.gen(function* () {
      const { read, standIn, step } = yield* TestBridge
      const { depositAddress, id } = yield* polledWith("PROCESSING", () => ({ depositedAmount: "10000000" }))
      const hashes = [{ hash: "0xa" }, { hash: "0xb" }]
      for (let minute = 0; minute < 20; minute++) {
        standIn.tell(depositAddress, [
          {
            status: "PROCESSING",
            swapDetails: {
              depositedAmount: minute % 2 === 0 ? "0010000000" : "10000000",
              originChainTxHashes: minute % 2 === 0 ? hashes : hashes.toReversed(),
            },
          },
        ])
        yield* TestClock.adjust("1 minute")
        while ((yield* step) > 0) continue
      }
      const seen = yield* read(id)
      assert.deepInclude(seen, { depositedAmount: "10000000", stalled: true })
      assert.lengthOf(seen.timeline, 4)
    }),
  )

  it.effect("that delivered less than the quote allows is a success that needs review", () =>
    Effect.gen(function* () {
      const less = (quote: Details) => (BigInt(String(quote.minAmountOut)) - 1n).toString()
      const { seen } = yield* polledWith("SUCCESS", (quote) => ({ ...deliveredDetails(quote), amountOut: less(quote) }))
      assert.deepInclude(seen, { status: "success", substatus: "delivered", needsReview: true })
      const { seen: least } = yield* polledWith("SUCCESS", (quote) => ({
        ...deliveredDetails(quote),
        amountOut: quote.minAmountOut,
      }))
      assert.deepInclude(least, { substatus: "delivered", needsReview: false })
      const exact = { swapType: "EXACT_OUTPUT", amount: "5000000" }
      const { seen: short } = yield* polledWith(
        "SUCCESS",
        (quote) => ({ ...deliveredDetails(quote), amountOut: "4999999" }),
        exact,
      )
      assert.deepInclude(short, { substatus: "delivered", needsReview: true })
      const { seen: all } = yield* polledWith("SUCCESS", deliveredDetails, exact)
      assert.deepInclude(all, { substatus: "delivered", needsReview: false })
    }),
  )
})

const lines: Array<{ readonly text: string; readonly swapId: unknown }> = []
const logged = Logger.layer([
  Logger.make(({ fiber, message }) => {
    const { swapId } = fiber.getRef(References.CurrentLogAnnotations)
    lines.push({ text: String(message), swapId })
  }),
])

it.effect("A swap with three unreadable answers in a row is logged and needs review", () =>
  Effect.gen(function* () {
    const { read, standIn, step, swap } = yield* TestBridge
    const sql = yield* SqlClient
    const { depositAddress, id } = yield* swap()
    standIn.trouble({ status: 200, body: { status: 7, note: "of another shape" } }, { call: "status", times: 5 })
    const pollTimes = Effect.fnUntraced(function* (count: number) {
      const before = standIn.calls("status").length
      while (standIn.calls("status").length < before + count) {
        yield* TestClock.adjust("10 seconds")
        yield* step
      }
    })
    yield* pollTimes(2)
    assert.deepInclude(yield* read(id), { needsReview: false, substatus: "awaiting_deposit" })
    yield* pollTimes(3)
    const seen = yield* read(id)
    assert.deepInclude(seen, { needsReview: true, status: "pending", substatus: "awaiting_deposit" })
    const events = yield* sql<{ readonly raw: string }>`
      select e ->> 'raw' as raw from bridge_swaps, jsonb_array_elements(events) e
        where id = ${id}::uuid and e ->> 'type' = 'answer_unreadable'`
    assert.lengthOf(events, 1)
    assert.include(events[0]!.raw, "of another shape")
    assert.lengthOf(
      lines.filter(({ swapId, text }) => swapId === id && /cannot be read/.test(text)),
      1,
    )
    standIn.tell(depositAddress, [{ status: "PROCESSING" }])
    yield* pollTimes(1)
    assert.deepInclude(yield* read(id), { needsReview: false, substatus: "processing" })
  }).pipe(Effect.provide(TestBridge.layer()), Effect.provide(logged)),
)

it.effect("An answer that cannot be stored postpones the next poll with a growing backoff", () =>
  Effect.gen(function* () {
    const { pass, read, standIn, step, swap } = yield* TestBridge
    const sql = yield* SqlClient
    const { depositAddress, id } = yield* swap()
    yield* sql`alter table bridge_swaps add constraint odd check (upstream_status <> 'ODD')`
    standIn.tell(depositAddress, [{ status: "ODD" }])
    for (let attempt = 1; attempt <= 3; attempt++) {
      while (standIn.calls("status").length < attempt) {
        yield* TestClock.adjust("10 seconds")
        yield* step
      }
      const [row] = yield* sql<{ readonly attempts: number; readonly leaseUntil: Date | null }>`
        select attempts, lease_until from bridge_swaps where id = ${id}::uuid`
      assert.deepStrictEqual(row, { attempts: attempt, leaseUntil: null })
    }
    assert.deepInclude(yield* read(id), { stale: true, upstreamStatus: null })
    standIn.tell(depositAddress, [{ status: "PROCESSING" }])
    yield* pass(120)
    assert.deepInclude(yield* read(id), { stale: false, substatus: "processing" })
  }).pipe(Effect.provide(TestBridge.layer())),
)
