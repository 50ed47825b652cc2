import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { joinable } from "../../src/finality/CoverageStatements.ts"
import { IDLE_MILLIS_MAX, pauseAfter, pauseAfterFailure } from "../../src/finality/ProofPace.ts"
import { union } from "../../src/sources/SlotRanges.ts"

const Slots = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 31 }))
const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: IDLE_MILLIS_MAX }))
const Failures = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2_000 }))

describe("The pause until a pool is compared again", () => {
  it.prop(
    "grows with the time that nobody traded, within bounds",
    [Slots, Slots, Millis],
    ([one, other, activeMillis]) => {
      const pace = { activeMillis, requestsMax: 1, slotMillis: 250 }
      const [less, more] = [Math.min(one, other), Math.max(one, other)].map((slots) => pauseAfter(BigInt(slots), pace))
      assert.isAtMost(less!, more!)
      assert.isAtLeast(less!, activeMillis)
      assert.isAtMost(more!, IDLE_MILLIS_MAX)
    },
  )

  it.prop("grows with failures in a row, within the same bounds", [Failures, Millis], ([failures, activeMillis]) => {
    const pace = { activeMillis, requestsMax: 1 }
    const [now, next] = [pauseAfterFailure(failures, pace), pauseAfterFailure(failures + 1, pace)]
    assert.isAtMost(now, next)
    assert.isAtLeast(now, activeMillis)
    assert.isAtMost(next, IDLE_MILLIS_MAX)
  })

  it("is short for a pool that trades, also when its newest trade is not finalized yet", () => {
    const pace = { activeMillis: 7, requestsMax: 1, slotMillis: 250 }
    assert.strictEqual(pauseAfter(-5n, pace), 7)
    assert.strictEqual(pauseAfter(0n, pace), 7)
  })

  it("is a quarter of the time that nobody traded, however long a slot takes", () => {
    const hourMillis = 3_600_000
    for (const slotMillis of [400, 250, 200]) {
      const pace = { activeMillis: 7, requestsMax: 1, slotMillis }
      assert.strictEqual(pauseAfter(BigInt(hourMillis / slotMillis), pace), hourMillis / 4, `${slotMillis} ms`)
    }
  })
})

/** Ranges that do not overlap, next to each other or apart, of two sources. */
const Steps = Schema.Array(
  Schema.Struct({
    gap: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 })),
    length: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })),
    isHelius: Schema.Boolean,
  }),
)

describe("Joining proven ranges", () => {
  it.prop("keeps every slot and its source, and leaves none of a source next to another", [Steps], ([steps]) => {
    let next = 0n
    const ranges = steps.map(({ gap, isHelius, length }, index) => {
      const fromSlot = next + BigInt(gap)
      next = fromSlot + BigInt(length)
      const logOffset = BigInt((index * 7) % 5)
      return { fromSlot, toSlot: next - 1n, provenBy: isHelius ? "helius" : "rpc", provenAt: new Date(0), logOffset }
    })
    const joins = joinable(ranges)
    const gone = new Set(joins.flatMap(({ parts }) => parts))
    const left = [...ranges.filter((one) => !gone.has(one)), ...joins.map(({ joined }) => joined)]
    for (const source of ["helius", "rpc"]) {
      const of = (all: typeof ranges) => all.filter(({ provenBy }) => provenBy === source)
      assert.deepStrictEqual(union(of(left)), union(of(ranges)))
      assert.lengthOf(of(left), union(of(ranges)).length)
    }
    // A joined range counts as folded only when all of its parts are.
    for (const { joined, parts } of joins)
      assert.strictEqual(
        joined.logOffset,
        parts.reduce((most, { logOffset }) => (logOffset > most ? logOffset : most), 0n),
      )
  })

  it("has the time of the newest proof, also while nothing comes into the log", () => {
    const range = (slot: bigint, millis: number) => ({
      ...{ fromSlot: slot, toSlot: slot, provenBy: "rpc", logOffset: 4n, provenAt: new Date(millis) },
    })
    const [join] = joinable([range(1n, 20), range(2n, 30), range(3n, 10)])
    assert.deepStrictEqual(join?.joined, { ...range(1n, 30), toSlot: 3n })
  })
})
