import { assert, describe, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { generateBlocks } from "../fixtures/GenerateTransactions.ts"
import { Indexer } from "../src/Indexer.ts"
import { lead, receiveTransactions, testIndex } from "./TestIndex.ts"

const [first, second] = [...generateBlocks({ seed: 5, slots: 2, isLarge: false })]

/** The log is looked at again after 100 ms, whoever appends to it. */
const LESS_THAN_A_LOOK = 90

/** Lets the clock go on by a millisecond at a time, and the database answer meanwhile; whether so many were folded then. */
const foldedWithin = (millis: number, transactions: number) =>
  Effect.gen(function* () {
    const indexer = yield* Indexer
    for (let passed = 0; passed < millis; passed++) {
      if ((yield* indexer.progress).transactions >= transactions) return true
      yield* TestClock.adjust(1)
      yield* Effect.promise(() => new Promise((resolve) => setTimeout(resolve, 20)))
    }
    return false
  })

describe("Following the log", () => {
  layer(testIndex)((it) => {
    it.effect("folds what this process appends without waiting for the next look at the log", () =>
      Effect.gen(function* () {
        const { follow } = yield* Indexer
        const following = yield* Effect.forkScoped(follow(yield* lead))
        assert.isFalse(yield* foldedWithin(LESS_THAN_A_LOOK, 1), "nothing was appended yet")

        const before = yield* receiveTransactions(first!.transactions)
        assert.isTrue(yield* foldedWithin(LESS_THAN_A_LOOK, before.fresh))
        const after = yield* receiveTransactions(second!.transactions)
        assert.isTrue(yield* foldedWithin(LESS_THAN_A_LOOK, before.fresh + after.fresh))
        yield* Fiber.interrupt(following)
      }),
    )
  })
})
