import { assert, describe, it } from "@effect/vitest"

import { dammFill } from "../../src/dammV2/DammMath.ts"
import { decodeDammPool } from "../../src/dammV2/DammPoolAccount.ts"
import { largestThat } from "../../src/venues/Fill.ts"
import { decodedPool, sdkFill } from "./DammSdk.ts"
import { seeded } from "./GeneratedConfigs.ts"
import { generatedDammPool } from "./GeneratedDammPools.ts"

const QUOTES = 1_500
const U64_MAX = 2n ** 64n - 1n
const MINTS = {
  a: "2Fiik5PmHBGE9AU7b3UA9FhVLtQaQaYxsLLzBdjmK9w1",
  b: "So11111111111111111111111111111111111111112",
}
/** Every way to take a fee: five base fees, and rate limiters on quote fees alone. */
const WAYS = 13

describe("For generated DAMM v2 pools", () => {
  it("an exact-in swap gives what Meteora's SDK computes, to the unit, or both refuse", () => {
    const random = seeded(1)
    const seen = new Set<string>()
    let [filled, refused] = [0, 0]
    for (let round = 0; round < QUOTES; round++) {
      const { amountIn, baseFeeMode, bytes, collectFeeMode, currentPoint } = generatedDammPool(random, MINTS)
      const pool = decodeDammPool(bytes)!
      const swap = { amountIn, isBuy: random.pick([true, false]), currentPoint }
      const ours = dammFill(pool, swap)
      let theirs: ReturnType<typeof sdkFill> | undefined
      try {
        theirs = sdkFill(decodedPool(bytes), { ...swap, hasReferral: random.pick([true, false]) })
      } catch {
        // The price range ends.
      }
      // The SDK's numbers have no end; those of the program do.
      const isTooLarge =
        theirs !== undefined && theirs.amountOut + (swap.isBuy && collectFeeMode > 0 ? 0n : theirs.fee) > U64_MAX
      if (theirs === undefined || isTooLarge) {
        refused++
        assert.isUndefined(ours)
        const fills = (amount: bigint) => dammFill(pool, { ...swap, amountIn: amount }) !== undefined
        const largest = largestThat(amountIn, fills)
        assert.isTrue(largest === 0n || fills(largest))
        assert.isFalse(fills(largest + 1n))
        continue
      }
      filled++
      seen.add(`${baseFeeMode} ${collectFeeMode}`)
      assert.deepStrictEqual(ours, theirs, `round ${round}, base fee ${baseFeeMode}, collected ${collectFeeMode}`)
    }
    assert.isAbove(filled, QUOTES / 2)
    assert.isAbove(refused, 10)
    assert.strictEqual(seen.size, WAYS)
  })
})
