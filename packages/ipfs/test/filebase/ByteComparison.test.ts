import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { ByteComparison } from "../../src/filebase/ByteComparison.ts"

const Byte = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 3 }))
const Pieces = Schema.Array(Schema.Array(Byte).check(Schema.isMaxLength(4))).check(Schema.isMaxLength(5))

/** Splits bytes into pieces of these lengths, repeatedly. */
const cut = (bytes: Uint8Array, lengths: ReadonlyArray<number>): ReadonlyArray<Uint8Array> => {
  const pieces: Array<Uint8Array> = []
  for (let at = 0, turn = 0; at < bytes.length; turn++) {
    const length = 1 + (lengths[turn % Math.max(lengths.length, 1)] ?? 0)
    pieces.push(bytes.subarray(at, at + length))
    at += length
  }
  return pieces
}

const isWhole = (parts: ReadonlyArray<Uint8Array>, pieces: ReadonlyArray<Uint8Array>) => {
  const comparison = new ByteComparison(parts)
  for (const piece of pieces) comparison.push(piece)
  return comparison.isWhole()
}

describe("Comparison of streamed bytes", () => {
  it.prop("is equal however both sides are split", [Pieces, Schema.Array(Byte)], ([values, lengths]) => {
    const parts = values.map((part) => Uint8Array.from(part))
    assert.isTrue(isWhole(parts, cut(Buffer.concat(parts), lengths)))
  })

  it.prop("is equal only when the bytes are", [Pieces, Pieces], ([left, right]) => {
    const [parts, pieces] = [left, right].map((values) => values.map((part) => Uint8Array.from(part)))
    assert.strictEqual(isWhole(parts!, pieces!), Buffer.concat(parts!).equals(Buffer.concat(pieces!)))
  })

  it("stops after a difference", () => {
    const comparison = new ByteComparison([Buffer.from("abc"), Buffer.from("def")])
    assert.isTrue(comparison.push(Buffer.from("ab")))
    assert.isFalse(comparison.push(Buffer.from("X")))
    assert.isFalse(comparison.push(Buffer.from("def")))
    assert.isFalse(comparison.isWhole())
  })
})
