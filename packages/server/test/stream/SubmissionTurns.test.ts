import { assert, describe, it } from "@effect/vitest"
import { inTurn } from "../../src/stream/SubmissionFeed.ts"

const followedOf = (count: number) =>
  new Map(Array.from({ length: count }, (_, nth) => [`signature-${nth}`, { isFinal: nth % 3 === 0 }]))

describe("Submissions that streams follow", () => {
  it("are read so many at once, however many there are", () => {
    const followed = followedOf(200_000)
    assert.isAtMost(inTurn(followed).length, 2_000)
    assert.strictEqual(followed.size, 200_000)
  })

  it("are all read, each in its turn, but for those that have ended", () => {
    const followed = followedOf(30)
    const rounds = Array.from({ length: 4 }, () => inTurn(followed, 5).map(([signature]) => signature))
    const open = [...followedOf(30)].filter(([, { isFinal }]) => !isFinal).map(([signature]) => signature)
    assert.deepStrictEqual(rounds.flat(), open)
    assert.deepStrictEqual(
      inTurn(followed, 5).map(([signature]) => signature),
      rounds[0],
    )
  })
})
