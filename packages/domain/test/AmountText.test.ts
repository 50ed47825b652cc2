import { assert, describe, it } from "@effect/vitest"
import { amountText, solText } from "../src/amounts/AmountText.ts"

const MINT = "FtbDd5hEV1eeTTHxXqczHgBcKq5GpsVFpuYNfdWsZMNM"
const U64_MAX = 2n ** 64n - 1n

describe("An amount in an error", () => {
  it("is in whole tokens, exactly, with the smallest units beside", () => {
    for (const [lamports, text] of [
      [850_000_000n, "0.85 SOL (850000000)"],
      [1n, "0.000000001 SOL (1)"],
      [0n, "0 SOL (0)"],
      [30_000_000_000n, "30 SOL (30000000000)"],
      [U64_MAX, "18446744073.709551615 SOL (18446744073709551615)"],
    ] as const)
      assert.strictEqual(solText(lamports), text)
    assert.strictEqual(amountText(1_500_000n, { mint: MINT, decimals: 6 }), `1.5 of ${MINT} (1500000)`)
    assert.strictEqual(amountText(7n, { mint: MINT, decimals: 0 }), `7 of ${MINT} (7)`)
  })

  it("is in smallest units, which are named, where the decimals are not known or more than digits are shown", () => {
    assert.strictEqual(amountText(7n, { mint: MINT }), `7 smallest units of ${MINT}`)
    assert.strictEqual(amountText(7n, { mint: MINT, decimals: 255 }), `7 smallest units of ${MINT}`)
  })
})
