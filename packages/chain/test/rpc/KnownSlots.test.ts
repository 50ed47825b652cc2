import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { Endpoint } from "../../src/rpc/Endpoint.ts"
import { KnownSlots } from "../../src/rpc/KnownSlots.ts"
import { DEAD_URL } from "./StandInNode.ts"

const SECOND = 1_000

/** Endpoints in use, on a clock of their own. */
const endpointsOf = (count: number) => {
  let now = 0
  const all = Array.from({ length: count }, (_, index) => {
    const endpoint = new Endpoint({
      name: `endpoint ${index}`,
      url: Redacted.make(DEAD_URL),
      now: () => now,
      timeMillis: () => now,
      admit: () => undefined,
    })
    endpoint.health.verify(true)
    return endpoint
  })
  const slots = new KnownSlots(all, () => now)
  return {
    pass: (millis: number) => void (now += millis),
    /** The slots they report, one after the other. */
    show: (...shown: ReadonlyArray<number>) => shown.forEach((slot, index) => slots.see(all[index]!, BigInt(slot))),
    lag: (slot: number) => Number(slots.lagOf(BigInt(slot))),
    stillMillis: () => slots.stillMillis(),
    slotMillis: () => slots.slotMillis,
    /** The state after a probe with this lag. */
    judge: (index: number, slotLag: number) => {
      const { health } = all[index]!
      health.probeSucceeded({ now, latencyMillis: 5, slotLag, isCovered: true })
      return health.stateAt(now)
    },
  }
}

describe("How long a slot takes", () => {
  it("is measured by the slots that endpoints show, whatever it is", () => {
    for (const millis of [400, 250, 200]) {
      const { pass, show, slotMillis } = endpointsOf(2)
      const passed = (seconds: number) => {
        for (let second = 0; second < seconds; second++) {
          pass(SECOND)
          at += SECOND / millis
          // Another one is behind, and shows its slots as well.
          show(Math.floor(at), Math.floor(at) - 20)
        }
      }
      let at = 1_000
      show(at)
      passed(9)
      assert.strictEqual(slotMillis(), 200, "the shortest that is announced, until it was measured")
      passed(30)
      assert.closeTo(slotMillis(), millis, 5)
    }
  })

  it("follows the chain when it becomes faster, stands still, or starts over", () => {
    const { pass, show, slotMillis } = endpointsOf(1)
    let slot = 1_000
    const passed = (seconds: number, slots: number) => {
      for (let second = 0; second < seconds; second++) {
        pass(SECOND)
        show((slot += slots))
      }
    }
    show(slot)
    passed(120, 4)
    assert.strictEqual(slotMillis(), 250)
    passed(61, 5)
    assert.strictEqual(slotMillis(), 200)
    passed(30, 0)
    assert.strictEqual(slotMillis(), 200)
    passed(1, 5)
    assert.isAtMost(slotMillis(), 400)
    slot = 5
    passed(80, 4)
    assert.strictEqual(slotMillis(), 250)
  })
})

describe("The slot of the chain", () => {
  it("is the highest that any endpoint has shown in five minutes", () => {
    const { lag, pass, show } = endpointsOf(2)
    show(1_000, 1_040)
    pass(SECOND)
    show(1_002, 1_043)
    assert.deepStrictEqual([lag(1_002), lag(1_043), lag(1_050)], [41, 0, 0])
    // The other one does not answer any more.
    pass(299 * SECOND)
    show(1_020)
    assert.strictEqual(lag(1_020), 23)
    pass(2 * SECOND)
    show(1_022)
    assert.strictEqual(lag(1_022), 0)
  })

  it("is a lower one where the cluster starts over, or an endpoint was wrong", () => {
    const { lag, show } = endpointsOf(2)
    show(1_000, 90_000)
    assert.strictEqual(lag(1_000), 89_000)
    show(1_001, 1_002)
    assert.strictEqual(lag(1_001), 1)
    show(5, 5)
    assert.strictEqual(lag(5), 0)
  })

  it("takes no endpoint out of use while it stands still, which is said after a minute", () => {
    const { judge, lag, pass, show, stillMillis } = endpointsOf(2)
    show(1_002, 1_001)
    for (let second = 1; second <= 600; second++) {
      pass(SECOND)
      show(1_002, 1_001)
      assert.deepStrictEqual([judge(0, lag(1_002)), judge(1, lag(1_001))], ["closed", "closed"])
      assert.strictEqual(stillMillis(), second > 60 ? second * SECOND : undefined)
    }
    show(1_002, 1_002)
    assert.isUndefined(stillMillis())
  })
})
