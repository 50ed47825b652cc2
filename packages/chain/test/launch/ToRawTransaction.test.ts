import { assert, describe, it } from "@effect/vitest"
import { exactJson } from "../../src/rpc/LosslessJson.ts"
import { toRawTransaction } from "../../src/transactions/ToRawTransaction.ts"

const U64_MAX = 2n ** 64n - 1n

describe("A transaction that a node answered", () => {
  it("is as its JSON reads, and goes to the log with all digits", () => {
    const raw = toRawTransaction({
      slot: 371_000_000n,
      transactionIndex: 7n,
      meta: { err: null, fee: 5_000n, postBalances: [U64_MAX, U64_MAX - 1n, 1n] },
    })
    assert.deepStrictEqual(raw as unknown, {
      slot: 371_000_000,
      transactionIndex: 7,
      indexWithinBlock: 7,
      meta: { err: null, fee: 5_000, postBalances: [U64_MAX, U64_MAX - 1n, 1] },
    })
    assert.include(exactJson([raw]), `"postBalances":[${U64_MAX},${U64_MAX - 1n},1]`)
  })
})
