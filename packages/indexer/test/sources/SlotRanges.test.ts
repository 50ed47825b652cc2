import { assert, describe, it } from "@effect/vitest"
import { examples } from "../../../../scripts/Laws.ts"
import { SeededRandom } from "../../fixtures/SeededRandom.ts"
import { gapsOf, type SlotRange, union } from "../../src/sources/SlotRanges.ts"

const SLOTS = 40n

const slotsOf = (ranges: ReadonlyArray<SlotRange>): ReadonlyArray<bigint> => {
  const slots: Array<bigint> = []
  for (const { fromSlot, toSlot } of ranges) for (let slot = fromSlot; slot <= toSlot; slot++) slots.push(slot)
  return slots
}

describe("Slot ranges", () => {
  it("have a union of exactly their slots, which neither overlaps nor touches itself, and gaps of exactly the others", () => {
    const random = new SeededRandom(3)
    const range = (): SlotRange => {
      const fromSlot = BigInt(random.below(Number(SLOTS)))
      return { fromSlot, toSlot: fromSlot + BigInt(random.below(8)) }
    }
    for (let round = 0; round < examples(300, 10_000); round++) {
      const ranges = Array.from({ length: random.below(8) }, range)
      const known = [...new Set(slotsOf(ranges))].toSorted((left, right) => Number(left - right))
      const united = union(ranges)
      assert.deepStrictEqual(slotsOf(united), known)
      for (const [index, { fromSlot }] of united.entries())
        if (index > 0) assert.isTrue(fromSlot > united[index - 1]!.toSlot + 1n)
      const within = { fromSlot: BigInt(random.below(10)), toSlot: BigInt(random.below(Number(SLOTS))) }
      const missing = slotsOf([within]).filter((slot) => !known.includes(slot))
      assert.deepStrictEqual(slotsOf(gapsOf(ranges, within)), missing)
    }
  })
})
