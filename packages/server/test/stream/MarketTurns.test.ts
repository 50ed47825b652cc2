import type { Market } from "@launch-registry/domain/pools/Market"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { sampleAddress } from "../../../service/test/Samples.ts"
import { Markets } from "../../src/markets/Markets.ts"
import { Follower } from "../../src/stream/Followed.ts"
import { marketFeed } from "../../src/stream/MarketFeed.ts"

const POLL_MILLIS = 1_000

describe("Markets that are followed", () => {
  it.effect(
    "are each read at once and each time, beside any number of mints without a pool, which have their turns",
    () =>
      Effect.gen(function* () {
        const mint = sampleAddress()
        let asked: Array<ReadonlyArray<string>> = []
        const markets = Markets.of({
          find: (mints) =>
            Effect.sync(() => {
              asked.push(mints)
              return new Map(mints.includes(mint) ? [[mint, { price: String(asked.length) } as Market]] : [])
            }),
        })
        const { follow } = yield* Effect.provideService(marketFeed(POLL_MILLIS), Markets, markets)
        const none = Array.from({ length: 3_000 }, sampleAddress)
        yield* follow(new Follower(() => undefined), none)
        for (let polls = 0; polls < 10; polls++) yield* TestClock.adjust(POLL_MILLIS)
        asked = []
        yield* follow(new Follower(() => undefined), [mint])
        for (let polls = 0; polls < 10; polls++) yield* TestClock.adjust(POLL_MILLIS)
        assert.deepStrictEqual(
          asked.map((mints) => mints.includes(mint)),
          Array.from({ length: 10 }, () => true),
        )
        assert.strictEqual(new Set(asked.flat()).size, none.length + 1)
      }).pipe(Effect.scoped),
  )
})
