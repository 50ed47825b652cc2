import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { gapsOf, type SlotRange, union } from "../../src/sources/SlotRanges.ts"

/** Few slots, so that ranges touch, overlap and repeat. */
const Slot = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 40 }))
const Pair = Schema.Tuple([Slot, Slot])
const Intervals = Schema.Array(Pair)

const intervalOf = ([one, other]: typeof Pair.Type): SlotRange => ({
  fromSlot: BigInt(Math.min(one, other)),
  toSlot: BigInt(Math.max(one, other)),
})

/** The same as a set of slots. */
const slotsOf = (intervals: ReadonlyArray<SlotRange>): ReadonlyArray<bigint> => {
  const slots = new Set<bigint>()
  for (const { fromSlot, toSlot } of intervals) for (let slot = fromSlot; slot <= toSlot; slot++) slots.add(slot)
  return [...slots].sort((left, right) => Number(left - right))
}

const assertNormal = (intervals: ReadonlyArray<SlotRange>) => {
  for (const [index, { fromSlot, toSlot }] of intervals.entries()) {
    assert.isTrue(fromSlot <= toSlot)
    if (index > 0) assert.isTrue(fromSlot > intervals[index - 1]!.toSlot + 1n)
  }
}

describe("The union of slot ranges", () => {
  it.prop("has exactly their slots, in ranges that neither overlap nor touch", [Intervals], ([pairs]) => {
    const intervals = pairs.map(intervalOf)
    const merged = union(intervals)
    assert.deepStrictEqual(slotsOf(merged), slotsOf(intervals))
    assertNormal(merged)
  })

  it.prop("is its own union, also with any part of it", [Intervals, Schema.Natural], ([pairs, part]) => {
    const merged = union(pairs.map(intervalOf))
    assert.deepStrictEqual(union(merged), merged)
    assert.deepStrictEqual(union([...merged, ...pairs.slice(0, part % (pairs.length + 1)).map(intervalOf)]), merged)
  })

  it.prop("does not depend on the order", [Intervals, Schema.Array(Schema.Natural)], ([pairs, keys]) => {
    const intervals = pairs.map(intervalOf)
    const shuffled = intervals
      .map((interval, index) => ({ interval, key: keys[index] ?? index }))
      .sort((left, right) => left.key - right.key)
      .map(({ interval }) => interval)
    assert.deepStrictEqual(union(shuffled), union(intervals))
    assert.deepStrictEqual(union(intervals.toReversed()), union(intervals))
  })
})

describe("A union with one range", () => {
  it("has exactly its slots", () => {
    const interval = { fromSlot: 1n, toSlot: 2n, provenBy: "rpc" }
    assert.deepStrictEqual(union([interval]), [{ fromSlot: 1n, toSlot: 2n }])
    assert.deepStrictEqual(union([interval, { ...interval, toSlot: 5n }]), [{ fromSlot: 1n, toSlot: 5n }])
  })
})

describe("The gaps of slot ranges", () => {
  it.prop("are the uncovered slots of a range, once each", [Intervals, Pair], ([pairs, pair]) => {
    const intervals = pairs.map(intervalOf)
    const within = intervalOf(pair)
    const gaps = gapsOf(intervals, within)
    const covered = new Set(slotsOf(intervals))
    assertNormal(gaps)
    assert.deepStrictEqual(
      slotsOf(gaps),
      slotsOf([within]).filter((slot) => !covered.has(slot)),
    )
  })

  it.prop("complete the range: filled, there are none", [Intervals, Pair], ([pairs, pair]) => {
    const intervals = pairs.map(intervalOf)
    const within = intervalOf(pair)
    const filled = [...intervals, ...gapsOf(intervals, within)]
    assert.deepStrictEqual(gapsOf(filled, within), [])
    assert.deepStrictEqual(slotsOf(union(filled)), slotsOf([...intervals, within]))
  })

  it("are none in an empty range, as before the origin is finalized", () => {
    assert.deepStrictEqual(gapsOf([], { fromSlot: 10n, toSlot: 9n }), [])
    assert.deepStrictEqual(gapsOf([{ fromSlot: 3n, toSlot: 30n }], { fromSlot: 10n, toSlot: 5n }), [])
    assert.deepStrictEqual(gapsOf([{ fromSlot: 7n, toSlot: 8n }], { fromSlot: 10n, toSlot: 5n }), [])
  })
})
