import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { TestServer } from "../../service/test/TestServer.ts"
import type { TimelineStep } from "./IntentsTimeline.ts"
import { deliveredDetails, depositedDetails, refundedDetails } from "./IntentsTimeline.ts"
import { TestBridge } from "./TestBridge.ts"

type Quote = Readonly<Record<string, unknown>>

/** What the swap service answers, and the resulting swap and record. */
interface Row {
  readonly name: string
  readonly says: (quote: Quote) => TimelineStep
  readonly status: string
  readonly substatus: string
  readonly needsReview?: boolean
  readonly also?: Readonly<Record<string, unknown>>
}

const ROWS: ReadonlyArray<Row> = [
  {
    name: "PENDING_DEPOSIT",
    says: () => ({ status: "PENDING_DEPOSIT" }),
    status: "pending",
    substatus: "awaiting_deposit",
    also: { isPayable: true },
  },
  { name: "404", says: () => ({ status: "404" }), status: "pending", substatus: "awaiting_deposit" },
  {
    name: "KNOWN_DEPOSIT_TX",
    says: (quote) => ({ status: "KNOWN_DEPOSIT_TX", swapDetails: depositedDetails(quote) }),
    status: "pending",
    substatus: "deposit_seen",
    also: { isPayable: false },
  },
  {
    name: "PROCESSING",
    says: (quote) => ({ status: "PROCESSING", swapDetails: depositedDetails(quote) }),
    status: "pending",
    substatus: "processing",
  },
  {
    name: "INCOMPLETE_DEPOSIT",
    says: (quote) => ({ status: "INCOMPLETE_DEPOSIT", swapDetails: depositedDetails(quote, "4000000") }),
    status: "pending",
    substatus: "incomplete",
    also: { depositedAmount: "4000000", missingAmount: "6000000", isPayable: true },
  },
  {
    name: "SUCCESS that delivered",
    says: (quote) => ({ status: "SUCCESS", swapDetails: { ...deliveredDetails(quote), amountOut: "9998123" } }),
    status: "success",
    substatus: "delivered",
    also: { amountOut: "9998123", missingAmount: null },
  },
  {
    name: "SUCCESS with a full refund",
    says: (quote) => ({ status: "SUCCESS", swapDetails: refundedDetails(quote) }),
    status: "failed",
    substatus: "refunded",
    needsReview: true,
    also: { refundedAmount: "10000000", refundReason: "PARTIAL_DEPOSIT" },
  },
  {
    name: "SUCCESS with neither",
    says: () => ({ status: "SUCCESS" }),
    status: "pending",
    substatus: "needs_review",
    needsReview: true,
    also: { stalled: true },
  },
  {
    name: "REFUNDED",
    says: (quote) => ({ status: "REFUNDED", swapDetails: refundedDetails(quote, "SLIPPAGE") }),
    status: "failed",
    substatus: "refunded",
    also: { refundReason: "SLIPPAGE", refundedAmount: "10000000" },
  },
  { name: "FAILED", says: () => ({ status: "FAILED" }), status: "failed", substatus: "failed" },
  { name: "an unknown status", says: () => ({ status: "ON_HOLD" }), status: "pending", substatus: "unknown" },
]

const tell = Effect.fnUntraced(function* (
  depositAddress: string,
  steps: (quote: Quote) => ReadonlyArray<TimelineStep>,
) {
  const { standIn } = yield* TestBridge
  standIn.tell(depositAddress, steps(standIn.swapAt(depositAddress).response.quote))
})

const recordStatus = (id: string) =>
  Effect.flatMap(TestServer, ({ request }) =>
    Effect.map(request(`/api/transactions/${id}`), ({ body }) => body.transaction),
  )

layer(TestBridge.layer())("When the swap service says", (it) => {
  for (const { also, name, needsReview = false, says, status, substatus } of ROWS) {
    it.effect(`${name}: ${status}, ${substatus}`, () =>
      Effect.gen(function* () {
        const { pass, read, swap } = yield* TestBridge
        const { depositAddress, id } = yield* swap()
        yield* tell(depositAddress, (quote) => [says(quote)])
        yield* pass(21)
        const seen = yield* read(id)
        assert.deepInclude(seen, { status, substatus, needsReview, stale: false, ...also }, JSON.stringify(seen))
        if (name !== "404")
          assert.strictEqual(seen.upstreamStatus, name.split(" ")[0] === "an" ? "ON_HOLD" : name.split(" ")[0])
        const record = yield* recordStatus(id)
        assert.strictEqual(record.status, status)
        if (seen.originTxs.length > 0) assert.strictEqual(record.txHash, seen.originTxs[0].hash)
        if (status === "success") assert.strictEqual(record.amountOut, "9998123")
      }),
    )
  }

  it.effect("one status after the other, the timeline has each once, without entries for what did not change", () =>
    Effect.gen(function* () {
      const { pass, read, standIn, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      yield* tell(depositAddress, (quote) => [
        { afterMillis: 40_000, status: "KNOWN_DEPOSIT_TX", swapDetails: depositedDetails(quote) },
        { afterMillis: 60_000, status: "PROCESSING", swapDetails: depositedDetails(quote) },
        { afterMillis: 80_000, status: "SUCCESS", swapDetails: deliveredDetails(quote) },
      ])
      yield* pass(120)
      const seen = yield* read(id)
      const steps = seen.timeline.map(({ substatus, type }: Record<string, string>) => `${type} ${substatus}`)
      assert.deepStrictEqual(steps, [
        "quoted awaiting_deposit",
        "changed awaiting_deposit",
        "changed deposit_seen",
        "changed processing",
        "changed delivered",
      ])
      const times = seen.timeline.map(({ at }: { at: string }) => at)
      assert.deepStrictEqual(times, times.toSorted())
      // Ended swaps are not polled.
      const polls = standIn.swapAt(depositAddress).polls
      yield* TestClock.adjust("3 hours")
      yield* pass(5)
      assert.strictEqual(standIn.swapAt(depositAddress).polls, polls)
    }),
  )

  it.effect("nothing in time, the swap expires, and a late deposit reopens it up to its delivery", () =>
    Effect.gen(function* () {
      const { pass, read, step, swap } = yield* TestBridge
      const { depositAddress, id } = yield* swap()
      yield* tell(depositAddress, (quote) => [
        { afterMillis: 3_600_000, status: "PROCESSING", swapDetails: depositedDetails(quote) },
        { afterMillis: 7_200_000, status: "SUCCESS", swapDetails: deliveredDetails(quote) },
      ])
      yield* TestClock.adjust("31 minutes")
      yield* step
      assert.deepInclude(yield* read(id), { status: "failed", substatus: "expired", isPayable: false })
      assert.strictEqual((yield* recordStatus(id)).status, "failed")
      yield* TestClock.adjust("45 minutes")
      yield* step
      assert.deepInclude(yield* read(id), { status: "pending", substatus: "processing" })
      assert.strictEqual((yield* recordStatus(id)).status, "pending")
      yield* TestClock.adjust("2 hours")
      yield* pass(2)
      assert.deepInclude(yield* read(id), { status: "success", substatus: "delivered" })
      assert.strictEqual((yield* recordStatus(id)).status, "success")
    }),
  )

  it.effect("an end, it wins over the status that a client set on the record, and a deleted record stays deleted", () =>
    Effect.gen(function* () {
      const { pass, read, swap } = yield* TestBridge
      const { request } = yield* TestServer
      const patched = yield* swap()
      const deleted = yield* swap()
      yield* request(`/api/transactions/${patched.id}/status`, { method: "PATCH", json: { status: "success" } })
      yield* request(`/api/transactions/${deleted.id}`, { method: "DELETE" })
      yield* tell(deleted.depositAddress, (quote) => [{ status: "SUCCESS", swapDetails: deliveredDetails(quote) }])
      yield* pass(21)
      assert.strictEqual((yield* recordStatus(patched.id)).status, "pending")
      assert.strictEqual((yield* read(deleted.id)).status, "success")
      assert.strictEqual((yield* request(`/api/transactions/${deleted.id}`)).status, 404)
    }),
  )
})
