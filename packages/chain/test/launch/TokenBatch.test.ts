import { assert, describe, it } from "@effect/vitest"
import { encodeBase58 } from "@launch-registry/domain/solana/Base58"
import { Schema } from "effect"
import { tokenCalls } from "../../src/transactions/TokenBatch.ts"

const callOf = (accounts: ReadonlyArray<number>, bytes: ReadonlyArray<number>) => ({
  ...{ programIdIndex: 7, accounts, data: encodeBase58(Uint8Array.from(bytes)), stackHeight: 3 },
})
const TRANSFER = [3, 1, 2, 0, 0, 0, 0, 0, 0]
const MINT = [7, 9, 0, 0, 0, 0, 0, 0, 0]

describe("A call of a token program", () => {
  it("has the instructions of a batch, each with its own accounts", () => {
    const batch = callOf([4, 5, 6, 1, 2, 3, 8], [255, 3, TRANSFER.length, ...TRANSFER, 0, 0, 4, MINT.length, ...MINT])
    assert.deepStrictEqual(tokenCalls(batch), [callOf([4, 5, 6], TRANSFER), callOf([], []), callOf([1, 2, 3, 8], MINT)])
  })

  it("is itself where it is no batch, or none that the program takes", () => {
    for (const call of [
      callOf([4, 5, 6], TRANSFER),
      callOf([4], [255, 1, 9, 3]),
      callOf([4], [254, 1, 0]),
      { ...callOf([], []), data: "x0" },
      { ...callOf([], []), data: "5".repeat(100_000) },
    ])
      assert.deepStrictEqual(tokenCalls(call), [call])
    assert.deepStrictEqual(tokenCalls(callOf([4], [255])), [])
  })

  const bytes = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 })))
  it.prop("is read whatever its bytes", [bytes], ([values]) => {
    assert.isAtMost(tokenCalls(callOf([1, 2], [255, ...values])).length, values.length + 1)
  })
})
