import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { generateBlocks } from "../fixtures/GenerateTransactions.ts"
import { Indexer } from "../src/Indexer.ts"
import { lead, receiveTransactions, testIndex } from "./TestIndex.ts"

const [first, second] = [...generateBlocks({ seed: 5, slots: 2, isLarge: false })]

/** The log is polled every 100 ms for appends of other processes. */
const LESS_THAN_A_LOOK = 90

const hasFolded = (transactions: number) =>
  Effect.gen(function* () {
    const { progress } = yield* Indexer
    return (yield* progress).transactions >= transactions
  })

/** Advances the clock by a millisecond, and lets the database answer. */
const tick = (millis: number) =>
  Effect.andThen(
    TestClock.adjust(millis),
    Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20))),
  )

/** Waits until so many are folded, however long the database takes: the clock advances by less than a poll interval. */
const foldedBeforeALook = (transactions: number) =>
  Effect.gen(function* () {
    for (let passed = 0; !(yield* hasFolded(transactions)); passed++) yield* tick(passed < LESS_THAN_A_LOOK ? 1 : 0)
  })

describe("Following the log", () => {
  layer(testIndex)((it) => {
    it.effect("folds what this process appends without waiting for the next poll", () =>
      Effect.gen(function* () {
        const { follow } = yield* Indexer
        const following = yield* Effect.forkScoped(follow(yield* lead))
        for (let passed = 0; passed < LESS_THAN_A_LOOK; passed++) yield* tick(1)
        assert.isFalse(yield* hasFolded(1), "nothing was appended yet")

        const before = yield* receiveTransactions(first!.transactions)
        yield* foldedBeforeALook(before.fresh)
        const after = yield* receiveTransactions(second!.transactions)
        yield* foldedBeforeALook(before.fresh + after.fresh)
        yield* Fiber.interrupt(following)
      }),
    )
  })
})
