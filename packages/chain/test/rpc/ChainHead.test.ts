import { assert, describe, it } from "@effect/vitest"
import { ChainHead } from "../../src/rpc/ChainHead.ts"

const latest = (slot: bigint) => ({ slot, blockhash: `hash ${slot}`, lastValidBlockHeight: slot + 150n })

describe("The chain's head", () => {
  it("is the newest slot seen in the last two seconds", () => {
    const head = new ChainHead()
    assert.isUndefined(head.fresh(0))
    head.see(latest(10n), 1_000)
    head.see(latest(8n), 1_500)
    assert.strictEqual(head.fresh(2_000)?.slot, 10n)
    assert.isUndefined(head.fresh(3_001))
    // The newest one is too old by now: an older one is better than none.
    head.see(latest(9n), 3_500)
    assert.strictEqual(head.fresh(3_600)?.slot, 9n)
  })

  it("is valid for 150 slots at most, however long they take, from when it was first seen", () => {
    const head = new ChainHead()
    head.see(latest(10n), 0)
    head.see(latest(10n), 1_500)
    assert.deepStrictEqual(
      [400, 250, 200].map((slotMillis) => head.secondsLeft(1_500, slotMillis)),
      [58, 36, 28],
    )
    assert.strictEqual(head.secondsLeft(40_000, 250), 0)
  })

  it("is stuck when its slot has not advanced for twelve seconds", () => {
    const head = new ChainHead()
    for (let now = 0; now <= 12_000; now += 1_000) head.see(latest(10n), now)
    assert.isFalse(head.isStuck(12_000))
    head.see(latest(10n), 12_500)
    assert.isTrue(head.isStuck(12_500))
    head.see(latest(11n), 13_000)
    assert.isFalse(head.isStuck(13_000))
  })
})
