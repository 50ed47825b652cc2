import { assert, describe, it } from "@effect/vitest"
import { UnreadSlots } from "../../src/finality/UnreadSlots.ts"

const slot = (number: number) => ({ fromSlot: BigInt(number), toSlot: BigInt(number) })
const unread = (number: number, isAsked = true) => ({
  slot: BigInt(number),
  problem: { signature: `of slot ${number}`, reason: "absent", isAvailable: false, isAsked },
})

describe("Slots that could not be proven", () => {
  it("wait twice as long every time, ten minutes at most", () => {
    const slots = new UnreadSlots()
    const pauses = Array.from({ length: 10 }, () => {
      slots.add([unread(7), unread(7)], 0)
      let pause = 0
      while (slots.waiting(pause).length > 0) pause += 1_000
      return pause / 1_000
    })
    assert.deepStrictEqual(pauses, [5, 10, 20, 40, 80, 160, 320, 600, 600, 600])
  })

  it("do not wait where the endpoints were at fault", () => {
    const slots = new UnreadSlots()
    slots.add([unread(7, false)], 0)
    assert.deepStrictEqual(slots.waiting(0), [])
    assert.isNull(slots.problem)
  })

  it("come behind those that were not tried, the longest due first", () => {
    const slots = new UnreadSlots()
    slots.add([unread(9)], 1_000)
    slots.add([unread(2), unread(5)], 2_000)
    slots.add([unread(5)], 3_000)
    assert.deepStrictEqual(slots.inTurn([2, 4, 5, 6, 9].map(slot)), [6, 4, 9, 2, 5].map(slot))
  })

  it("are forgotten once they are proven", () => {
    const slots = new UnreadSlots()
    slots.add(
      [9, 2, 5, 7].map((number) => unread(number)),
      0,
    )
    slots.keep([{ fromSlot: 1n, toSlot: 4n }, slot(7)])
    assert.deepStrictEqual(slots.waiting(0), [2, 7].map(slot))
    assert.strictEqual(slots.problem, "of slot 2 is absent")
    slots.keep([])
    assert.isNull(slots.problem)
  })
})
