import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { deliveredDetails, depositedDetails, refundedDetails } from "../../../bridge/test/IntentsTimeline.ts"
import { TestBridge } from "../../../bridge/test/TestBridge.ts"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { NotificationReceiver } from "./NotificationReceiver.ts"
import { deliverAll, endpoint, OPTIONS, sendAll } from "./TestNotifications.ts"

layer(TestBridge.layer({ notifications: OPTIONS }))("A swap", (it) => {
  it.effect("is sent once when it has ended, to endpoints that ask for it, whatever their mints", () =>
    Effect.gen(function* () {
      const { read, standIn, step, swap } = yield* TestBridge
      const ended = Effect.fnUntraced(function* ({ id }: { readonly id: string }) {
        while ((yield* read(id)).status === "pending") {
          yield* TestClock.adjust("1 minute")
          while ((yield* step) > 0) continue
        }
      })
      const receiver = yield* NotificationReceiver.make
      yield* endpoint(`${receiver.url}/outcomes`, { types: ["bridge"], mintAddresses: [sampleAddress()] })
      yield* endpoint(`${receiver.url}/trades`, { types: ["trade"] })
      standIn.onQuote = (made) =>
        void (made.steps = [
          { status: "PENDING_DEPOSIT" },
          { status: "PROCESSING", swapDetails: depositedDetails(made.response.quote) },
          { status: "SUCCESS", swapDetails: deliveredDetails(made.response.quote) },
        ])
      const delivered = yield* swap()
      yield* ended(delivered)
      standIn.onQuote = (made) =>
        void (made.steps = [{ status: "REFUNDED", swapDetails: refundedDetails(made.response.quote) }])
      const refunded = yield* swap()
      yield* ended(refunded)
      yield* sendAll
      yield* deliverAll
      assert.deepStrictEqual(receiver.at("/trades"), [])
      const outcomes = receiver.at("/outcomes")
      assert.deepStrictEqual(
        outcomes.map(({ data: { id, status, type } }) => [type, id, status]),
        [
          ["bridge", delivered.id, "success"],
          ["bridge", refunded.id, "failed"],
        ],
      )
      // What is sent is what is answered.
      for (const { data } of outcomes) {
        const { type: _, ...fields } = data
        assert.deepInclude(yield* read(data.id), fields)
      }
    }),
  )

  it.effect("is sent again when a failed one is refunded, and not at all when nobody paid it", () =>
    Effect.gen(function* () {
      const { read, standIn, step, swap } = yield* TestBridge
      const receiver = yield* NotificationReceiver.make
      yield* endpoint(receiver.url, { types: ["bridge"] })
      standIn.onQuote = (made) => {
        const { quote } = made.response
        made.steps = [
          { status: "FAILED", swapDetails: depositedDetails(quote) },
          { afterMillis: 7_200_000, status: "REFUNDED", swapDetails: refundedDetails(quote) },
        ]
      }
      const refunded = yield* swap()
      standIn.onQuote = (made) => void (made.steps = [{ status: "PENDING_DEPOSIT" }])
      const unpaid = yield* swap()
      const substatusOf = ({ id }: { readonly id: string }) => Effect.map(read(id), ({ substatus }) => substatus)
      while ((yield* substatusOf(refunded)) !== "refunded" || (yield* substatusOf(unpaid)) !== "expired") {
        yield* TestClock.adjust("1 hour")
        while ((yield* step) > 0) continue
      }
      yield* deliverAll
      // Two messages of one endpoint are sent at once.
      assert.sameDeepMembers(
        receiver.at("/").map(({ data: { id, status, substatus } }) => [id, status, substatus]),
        [
          [refunded.id, "failed", "failed"],
          [refunded.id, "failed", "refunded"],
        ],
      )
    }),
  )
})
