import { assert, describe, it } from "@effect/vitest"
import { AccountTable } from "../../src/launch/events/AccountTable.ts"
import type { DecodableTransaction } from "../../src/launch/events/RawTransaction.ts"

const tableOf = (accountKeys: unknown, loadedAddresses?: unknown) =>
  new AccountTable({
    meta: { loadedAddresses },
    transaction: { message: { accountKeys } },
  } as unknown as DecodableTransaction)

describe("The accounts of a transaction", () => {
  it("count through its own, then those of lookup tables that are written, then those that are read", () => {
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

  it("are none where an index is no place among them", () => {
    const table = tableOf(["a", "b"], { writable: ["c"], readonly: [] })
    for (const index of [-1, 3, 0.5, Number.NaN, Number.POSITIVE_INFINITY, "0" as unknown as number])
      assert.isUndefined(table.at(index), String(index))
  })

  it("are refused where one of the lists is something else", () => {
    for (const wrong of [undefined, null, 7, "abc", {}, { length: 1 }]) {
      assert.throws(() => tableOf(wrong), TypeError)
      assert.throws(() => tableOf(["a"], { writable: wrong, readonly: ["r"] }), TypeError)
      assert.throws(() => tableOf(["a"], { writable: ["w"], readonly: wrong }), TypeError)
    }
    assert.throws(() => tableOf(["a"], 7), TypeError)
  })
})
