import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { LagClock } from "../src/replicas/LagClock.ts"
import { decodePosition, encodePosition, positionOfLsn } from "../src/replicas/LogPosition.ts"

describe("The lag of a replica", () => {
  it("is how long ago the primary was seen beyond it", () => {
    const clock = new LagClock()
    assert.strictEqual(clock.millisBehind(5, 0n), 0)
    clock.observe(1_000, 100n)
    clock.observe(2_000, 200n)
    clock.observe(3_000, 200n)
    clock.observe(4_000, 300n)
    assert.strictEqual(clock.millisBehind(4_500, 300n), 0)
    assert.strictEqual(clock.millisBehind(4_500, 299n), 500)
    // Since it was first seen at 200, not since it was last.
    assert.strictEqual(clock.millisBehind(4_500, 150n), 2_500)
    assert.strictEqual(clock.bytesBehind(150n), 150n)
    assert.strictEqual(clock.bytesBehind(400n), 0n)
  })

  it("does not grow while the primary writes nothing, or is away", () => {
    const clock = new LagClock()
    clock.observe(1_000, 100n)
    assert.strictEqual(clock.millisBehind(900_000, 100n), 0)
  })

  it("starts over with a primary that has less than the one before it", () => {
    const clock = new LagClock()
    clock.observe(1_000, 500n)
    clock.observe(2_000, 300n)
    assert.strictEqual(clock.millisBehind(9_000, 300n), 0)
    clock.observe(3_000, 310n)
    assert.strictEqual(clock.millisBehind(9_000, 300n), 6_000)
  })

  it("stays bounded in memory, and a replica that has nothing stays behind", () => {
    const clock = new LagClock()
    for (let at = 1; at <= 10_000; at++) clock.observe(at, BigInt(at))
    assert.isAbove(clock.millisBehind(10_000, 0n), 500)
  })
})

describe("A position in the log", () => {
  it("is read from PostgreSQL's text", () => {
    assert.strictEqual(positionOfLsn("0/0"), 0n)
    assert.strictEqual(positionOfLsn("16/B374D848"), 0x16b374d848n)
    assert.strictEqual(positionOfLsn("FFFFFFFF/FFFFFFFF"), 2n ** 64n - 1n)
  })

  it.prop(
    "is what it was when it comes back",
    [Schema.BigInt.check(Schema.isBetweenBigInt({ minimum: 0n, maximum: 2n ** 64n - 1n }))],
    ([position]) => {
      const text = encodePosition(position)
      assert.lengthOf(text, 16)
      assert.strictEqual(decodePosition(text), position)
    },
  )

  it("keeps its order as text, as clients compare it", () => {
    const texts = [9n, 10n, 255n, 256n, 2n ** 33n].map(encodePosition)
    assert.deepStrictEqual(texts.toSorted(), texts)
  })
})
