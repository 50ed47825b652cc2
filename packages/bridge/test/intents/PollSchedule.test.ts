import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { nextPollMillis, nextTryMillis, type PollFacts } from "../../src/intents/PollSchedule.ts"
import { DAY, HOUR, MINUTE, QUOTED_AT } from "./SwapFactsOf.ts"

const SECOND = 1_000

const factsOf = (changes: Partial<PollFacts> & { readonly ageMillis: number }): PollFacts => ({
  lane: 0,
  isSettled: false,
  sinceMillis: QUOTED_AT,
  nowMillis: QUOTED_AT + changes.ageMillis,
  timeEstimateSeconds: 60,
  refundStartsAtMillis: QUOTED_AT + 30 * MINUTE,
  ...changes,
})

/** The shortest and the longest pause. */
const range = (facts: PollFacts) => [0, 1].map((random) => nextPollMillis(facts, random))

describe("The next poll of a funded swap", () => {
  it("is in 3 to 5 s within two time estimates, and later in growing steps", () => {
    const at = (ageMillis: number) => range(factsOf({ ageMillis }))
    assert.deepStrictEqual(at(0), [3 * SECOND, 5 * SECOND])
    assert.deepStrictEqual(at(2 * MINUTE - 1), [3 * SECOND, 5 * SECOND])
    assert.deepStrictEqual(at(2 * MINUTE), [10 * SECOND, 20 * SECOND])
    assert.deepStrictEqual(at(12 * MINUTE), [45 * SECOND, 75 * SECOND])
    assert.deepStrictEqual(at(HOUR + 2 * MINUTE), [4 * MINUTE, 6 * MINUTE])
    assert.deepStrictEqual(at(DAY), [25 * MINUTE, 30 * MINUTE])
  })

  it("follows the estimate of the chain, and is frequent for at least a minute", () => {
    const slow = { ageMillis: 25 * MINUTE, timeEstimateSeconds: 812 }
    assert.deepStrictEqual(range(factsOf(slow)), [3 * SECOND, 5 * SECOND])
    assert.deepStrictEqual(range(factsOf({ ageMillis: 59 * SECOND, timeEstimateSeconds: 0 })), [3 * SECOND, 5 * SECOND])
  })
})

describe("The next poll of a swap that only a caller reports as paid", () => {
  it("is never sooner than that of a funded swap", () => {
    const at = (ageMillis: number) => range(factsOf({ ageMillis, lane: 1 }))
    assert.deepStrictEqual(at(0), [10 * SECOND, 20 * SECOND])
    assert.deepStrictEqual(at(12 * MINUTE), [45 * SECOND, 75 * SECOND])
    assert.deepStrictEqual(at(HOUR + 2 * MINUTE), [4 * MINUTE, 6 * MINUTE])
    assert.deepStrictEqual(at(DAY), [25 * MINUTE, 30 * MINUTE])
    assert.deepStrictEqual(at(4 * DAY), [25 * MINUTE, 30 * MINUTE])
  })
})

describe("The next poll of an unpaid swap", () => {
  it("goes from 15 s to five minutes, and to half an hour after the deadline to pay", () => {
    const at = (ageMillis: number) => range(factsOf({ ageMillis, lane: 2 }))
    assert.deepStrictEqual(at(0), [11_250, 18_750])
    assert.deepStrictEqual(at(6 * MINUTE), [90 * SECOND, 150 * SECOND])
    assert.deepStrictEqual(at(20 * MINUTE), [3 * MINUTE, 5 * MINUTE])
    assert.deepStrictEqual(at(30 * MINUTE), [3 * MINUTE, 5 * MINUTE])
    assert.deepStrictEqual(at(60 * MINUTE), [10.5 * MINUTE, 17.5 * MINUTE])
    for (const late of [90 * MINUTE, DAY, 10 * DAY]) assert.deepStrictEqual(at(late), [18 * MINUTE, 30 * MINUTE])
  })

  it("is one of eighteen before the deadline to pay, and of sixty a day afterwards", () => {
    const looks = (from: number, to: number) => {
      let count = 0
      for (let ageMillis = from; ageMillis < to; count++)
        ageMillis += nextPollMillis(factsOf({ ageMillis, lane: 2 }), 0.5)
      return count
    }
    assert.strictEqual(looks(0, 30 * MINUTE), 18)
    assert.strictEqual(looks(DAY, 2 * DAY), 60)
  })

  it("is within half an hour when an end is only checked again", () => {
    assert.deepStrictEqual(range(factsOf({ ageMillis: 0, isSettled: true })), [25 * MINUTE, 30 * MINUTE])
  })
})

const Random = Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 }))
const Facts = Schema.Struct({
  lane: Schema.Literals([0, 1, 2]),
  isSettled: Schema.Boolean,
  ageMillis: Schema.Int.check(Schema.isBetween({ minimum: -HOUR, maximum: 40 * DAY })),
  timeEstimateSeconds: Schema.Literals([0, 1, 27, 812, 86_400]),
})
const Failures = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))
const Asked = Schema.Union([
  Schema.Undefined,
  Schema.Int.check(Schema.isBetween({ minimum: -1_000, maximum: 30 * DAY })),
])

describe("Whatever the state of a swap", () => {
  it.effect.prop(
    "its next poll is in whole milliseconds, from 3 s to half an hour away",
    [Facts, Random],
    ([given, random]) =>
      Effect.sync(() => {
        const pause = nextPollMillis(factsOf(given), random)
        assert.isTrue(Number.isInteger(pause))
        assert.isAtLeast(pause, 3 * SECOND)
        assert.isAtMost(pause, 30 * MINUTE)
      }),
  )

  it.effect.prop("an older swap is not polled sooner", [Facts, Random, Facts], ([given, random, other]) =>
    Effect.sync(() => {
      const [younger, older] = [given.ageMillis, other.ageMillis].sort((a, b) => a - b)
      const pauseAt = (ageMillis: number) => nextPollMillis(factsOf({ ...given, ageMillis }), random)
      assert.isAtMost(pauseAt(younger!), pauseAt(older!))
    }),
  )

  it.effect.prop(
    "a retry after failures comes no sooner than the upstream asked for, nor sooner than a poll would, and is bounded",
    [Facts, Failures, Asked, Random],
    ([given, failures, retryAfterMillis, random]) =>
      Effect.sync(() => {
        const facts = factsOf(given)
        const pause = nextTryMillis(facts, { failures, retryAfterMillis }, random)
        assert.isTrue(Number.isInteger(pause))
        assert.isAtLeast(pause, nextPollMillis(facts, random))
        assert.isAtLeast(pause, Math.min(retryAfterMillis ?? 0, HOUR))
        assert.isAtMost(pause, HOUR + 10 * SECOND)
      }),
  )

  it("retries back off with full jitter: from nearly nothing to twice as long each time", () => {
    const facts = factsOf({ ageMillis: 0 })
    const longest = (failures: number) => nextTryMillis(facts, { failures }, 1)
    assert.strictEqual(longest(1), 5 * SECOND)
    assert.deepStrictEqual(
      [3, 4, 5].map(longest),
      [8, 16, 32].map((seconds) => seconds * SECOND),
    )
    assert.strictEqual(longest(1_000), 5 * MINUTE)
    assert.strictEqual(nextTryMillis(facts, { failures: 1_000 }, 0), 3 * SECOND)
  })

  it("a wait that all callers were asked for is spread by jitter", () => {
    const facts = factsOf({ ageMillis: 0 })
    const after = (random: number) => nextTryMillis(facts, { failures: 1, retryAfterMillis: MINUTE }, random)
    assert.deepStrictEqual([after(0), after(0.5), after(1)], [60 * SECOND, 65 * SECOND, 70 * SECOND])
  })
})
