import { assert, describe, it } from "@effect/vitest"
import { AccountTable } from "../../src/transactions/AccountTable.ts"
import type { DecodableTransaction } from "../../src/transactions/RawTransaction.ts"

const tableOf = (accountKeys: unknown, loadedAddresses?: unknown) =>
  new AccountTable({
    meta: { loadedAddresses },
    transaction: { message: { accountKeys } },
  } as unknown as DecodableTransaction)

describe("The accounts of a transaction", () => {
  it("are its own, then writable ones of lookup tables, then read-only ones", () => {
    const table = tableOf(["a", "b"], { writable: ["c"], readonly: ["d", "e"] })
    const all = ["a", "b", "c", "d", "e"]
    assert.deepStrictEqual(
      all.map((_, index) => table.at(index)),
      all,
    )
    assert.deepStrictEqual(
      all.map((key) => table.indexOf(key)),
      [0, 1, 2, 3, 4],
    )
    assert.strictEqual(table.indexOf("f"), -1)
    assert.strictEqual(tableOf(["a"], null).at(0), "a")
  })

  it("are undefined for an invalid index", () => {
    const table = tableOf(["a", "b"], { writable: ["c"], readonly: [] })
    for (const index of [-1, 3, 0.5, Number.NaN, Number.POSITIVE_INFINITY, "0" as unknown as number])
      assert.isUndefined(table.at(index), String(index))
  })

  it("throw a TypeError when one of the lists is not an array", () => {
    for (const wrong of [undefined, null, 7, "abc", {}, { length: 1 }]) {
      assert.throws(() => tableOf(wrong), TypeError)
      assert.throws(() => tableOf(["a"], { writable: wrong, readonly: ["r"] }), TypeError)
      assert.throws(() => tableOf(["a"], { writable: ["w"], readonly: wrong }), TypeError)
    }
    assert.throws(() => tableOf(["a"], 7), TypeError)
  })
})
