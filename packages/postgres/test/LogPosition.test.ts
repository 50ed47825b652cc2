import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { decodePosition, encodePosition, positionOfLsn } from "../src/LogPosition.ts"

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
