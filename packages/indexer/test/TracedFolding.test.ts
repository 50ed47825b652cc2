import { assert, layer } from "@effect/vitest"
import { Effect, Option, Tracer } from "effect"
import { generateBlocks } from "../fixtures/GenerateTransactions.ts"
import { fold, lead, receiveTransactions, testIndex } from "./TestIndex.ts"

const blocks = [...generateBlocks({ seed: 5, slots: 4, isLarge: false })]

layer(testIndex, { excludeTestServices: true })("Folding", (it) => {
  it.effect("is a trace for each batch, not for each transaction", () =>
    Effect.gen(function* () {
      const fence = yield* lead
      const spans: Array<Tracer.NativeSpan> = []
      const tracer = Tracer.make({
        span: (options) => {
          const span = new Tracer.NativeSpan(options)
          spans.push(span)
          return span
        },
      })
      let received = 0
      for (const { transactions } of blocks) received += (yield* receiveTransactions(transactions)).fresh
      yield* fold(fence).pipe(Effect.withTracer(tracer))
      const writes = spans.filter(({ name }) => name === "Sink.write")
      assert.lengthOf(writes, 1)
      const [write] = writes
      assert.strictEqual(write!.kind, "consumer")
      assert.isTrue(Option.isNone(write!.parent))
      assert.isAbove(received, 1)
      assert.strictEqual(write!.attributes.get("launch_registry.transactions"), received)
      assert.isTrue(spans.some(({ parent }) => Option.isSome(parent) && parent.value.spanId === write!.spanId))
    }),
  )
})
