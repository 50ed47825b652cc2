import { assert, describe, it } from "@effect/vitest"
import { followedUntil, nextPollMillis } from "../src/SwapPace.ts"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

const mean = (substatus: Parameters<typeof nextPollMillis>[0], sinceMillis: number, failures = 0) =>
  nextPollMillis(substatus, sinceMillis, failures, 0.5) / 1_000

/** How many polls there are in so much time. */
const polls = (substatus: Parameters<typeof nextPollMillis>[0], fromMillis: number, toMillis: number) => {
  let count = 0
  for (let at = fromMillis; at < toMillis; count++) at += nextPollMillis(substatus, at, 0, 0.5)
  return count
}

describe("The interval of polls", () => {
  it("grows with the time since the last change, from seconds to half an hour while money moves", () => {
    assert.deepStrictEqual(
      [0, MINUTE, 10 * MINUTE, 60 * MINUTE, DAY].map((since) => mean("processing", since)),
      [4, 6, 60, 360, 1_440],
    )
  })

  it("of an unpaid quote goes from 15 s to five minutes, and to half an hour after its deadline", () => {
    assert.deepStrictEqual(
      [0, MINUTE, 6 * MINUTE, 30 * MINUTE].map((since) => mean("awaiting_deposit", since)),
      [15, 20, 120, 240],
    )
    assert.deepStrictEqual(
      [MINUTE, 30 * MINUTE, DAY].map((since) => mean("expired", since)),
      [240, 600, 1_440],
    )
    assert.isAtMost(polls("awaiting_deposit", 0, 30 * MINUTE), 18)
    assert.isAtMost(polls("expired", 0, DAY), 80)
  })

  it("is within a quarter of its mean, and half an hour where an end is only checked again", () => {
    const of = (random: number) => nextPollMillis("failed", 0, 0, random)
    assert.deepStrictEqual([of(0), of(0.5), of(1)], [18 * MINUTE, 24 * MINUTE, 30 * MINUTE])
  })

  it("doubles with every poll that failed, up to five minutes", () => {
    assert.deepStrictEqual(
      [0, 1, 2, 3, 7, 8, 1_000].map((failures) => mean("processing", 0, failures)),
      [4, 4, 8, 16, 256, 300, 300],
    )
    assert.strictEqual(mean("failed", 0, 9), 1_440)
  })

  it("ends so many days after the last change, or after the end of the address", () => {
    assert.strictEqual(followedUntil("expired", 2 * DAY, 3 * DAY), 10 * DAY)
    assert.strictEqual(followedUntil("failed", 5 * DAY, 3 * DAY), 12 * DAY)
    assert.strictEqual(followedUntil("processing", 2 * DAY, 3 * DAY), 33 * DAY)
  })
})
