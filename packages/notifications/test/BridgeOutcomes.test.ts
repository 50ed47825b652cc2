import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { deliveredDetails, depositedDetails, refundedDetails } from "../../bridge/test/IntentsTimeline.ts"
import { TestBridge } from "../../bridge/test/TestBridge.ts"
import { sampleAddress } from "../../service/test/Samples.ts"
import { NotificationReceiver } from "./NotificationReceiver.ts"
import { deliverAll, endpoint, OPTIONS, sendAll } from "./TestNotifications.ts"

layer(TestBridge.layer({ notifications: OPTIONS }))("A swap", (it) => {
  it.effect("is told of once when it has ended, to endpoints that ask for it, whatever their mints", () =>
    Effect.gen(function* () {
      const { pass, read, standIn, swap } = yield* TestBridge
      const receiver = yield* NotificationReceiver.make
      yield* endpoint(`${receiver.url}/outcomes`, { types: ["bridge"], mints: [sampleAddress()] })
      yield* endpoint(`${receiver.url}/trades`, { types: ["trade"] })
      standIn.onQuote = (made) =>
        void (made.steps = [
          { status: "PENDING_DEPOSIT" },
          { status: "PROCESSING", swapDetails: depositedDetails(made.response.quote) },
          { status: "SUCCESS", swapDetails: deliveredDetails(made.response.quote) },
        ])
      const delivered = yield* swap()
      yield* pass(600)
      standIn.onQuote = (made) =>
        void (made.steps = [{ status: "REFUNDED", swapDetails: refundedDetails(made.response.quote) }])
      const refunded = yield* swap()
      yield* pass(600)
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
      // What is told is what is answered.
      for (const { data } of outcomes) {
        const { type: _, ...fields } = data
        assert.deepInclude(yield* read(data.id), fields)
      }
    }),
  )
})
