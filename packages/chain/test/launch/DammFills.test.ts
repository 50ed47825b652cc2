import { assert, describe, it } from "@effect/vitest"
import captured from "../fixtures/damm-fills.json" with { type: "json" }
import { dammFill } from "../../src/dammV2/DammMath.ts"
import { decodeDammPool } from "../../src/dammV2/DammPoolAccount.ts"
import { DammProgram, fillablePool, type ProgramFill } from "./DammProgram.ts"
import { seeded } from "./GeneratedConfigs.ts"
import { generatedDammPool } from "./GeneratedDammPools.ts"
import { decodedPool, sdkFill } from "./MeteoraSdk.ts"
import { hasPrograms, PROGRAMS } from "./RealPrograms.ts"

const hasProgram = hasPrograms("cp_amm")
const SWAPS = 600
const QUOTES = 1_500
const U64_MAX = 2n ** 64n - 1n
/** Five base fees and three ways to collect them, rate limiters with one of these alone. */
const WAYS = 13

const bytesOf = (data: string) => Uint8Array.from(Buffer.from(data, "base64"))

/** Asserts that the program did with the swap what is computed for it; whether it filled. */
const agrees = ({ amountIn, at, isBuy, pool, result }: ProgramFill, what: string): boolean => {
  const before = decodeDammPool(pool)!
  const expected = dammFill(before, { amountIn, isBuy, currentPoint: at })
  if (result === undefined) {
    assert.isUndefined(expected, what)
    return false
  }
  const after = decodeDammPool(result.pool)!
  assert.deepInclude(expected, { amountOut: result.amountOut, nextSqrtPrice: after.sqrtPrice }, what)
  assert.strictEqual(result.sent, amountIn, what)
  return true
}

describe("What the DAMM v2 program fills is what is computed for it", () => {
  it("in captured swaps", () => {
    const ways = new Set<string>()
    for (const [index, fill] of captured.entries()) {
      const { after, amountIn, amountOut, at, pool, ...rest } = fill
      const result = { amountOut: BigInt(amountOut), sent: BigInt(amountIn), pool: bytesOf(after) }
      const request = { ...rest, pool: bytesOf(pool), amountIn: BigInt(amountIn), at: BigInt(at), result }
      assert.isTrue(agrees(request, `captured swap ${index}`))
      const { baseFee, collectFeeMode } = decodeDammPool(request.pool)!
      ways.add(`${baseFee.mode} ${collectFeeMode}`)
    }
    assert.strictEqual(ways.size, WAYS)
  })

  it.skipIf(!hasProgram)(
    `in swaps of generated pools${hasProgram ? "" : " (skipped: no cp_amm.so in programs/)"}`,
    () => {
      const random = seeded(3)
      const program = new DammProgram(`${PROGRAMS}/cp_amm.so`)
      const [ways, filled] = [new Set<string>(), new Array<boolean>()]
      for (let round = 0; round < SWAPS; round++) {
        const { amountIn, baseFeeMode, bytes, collectFeeMode, currentPoint } = fillablePool(random)
        const swap = { amountIn: amountIn >> 2n || 1n, isBuy: random.pick([true, false]) }
        const hasReferral = random.pick([true, false])
        const fill = program.swap({ ...swap, pool: bytes, at: currentPoint, hasReferral })
        filled.push(agrees(fill, `round ${round}, base fee ${baseFeeMode}, collected ${collectFeeMode}`))
        ways.add(`${baseFeeMode} ${collectFeeMode}`)
      }
      assert.isAbove(filled.filter(Boolean).length, SWAPS / 2)
      assert.strictEqual(ways.size, WAYS)
    },
  )

  it("is what Meteora's SDK computes as well, in generated pools, or both refuse", () => {
    const random = seeded(1)
    const seen = new Set<string>()
    let refused = 0
    for (let round = 0; round < QUOTES; round++) {
      const { amountIn, baseFeeMode, bytes, collectFeeMode, currentPoint } = generatedDammPool(random)
      const swap = { amountIn, isBuy: random.pick([true, false]), currentPoint }
      const ours = dammFill(decodeDammPool(bytes)!, swap)
      const theirs = sdkFill(decodedPool(bytes), { ...swap, hasReferral: random.pick([true, false]) })
      // The SDK's numbers have no end; those of the program do.
      const sent = theirs && theirs.amountOut + (swap.isBuy && collectFeeMode > 0 ? 0n : theirs.fee)
      const expected = sent === undefined || sent > U64_MAX ? undefined : theirs
      assert.deepStrictEqual(ours, expected, `round ${round}, base fee ${baseFeeMode}, collected ${collectFeeMode}`)
      if (expected === undefined) refused++
      else seen.add(`${baseFeeMode} ${collectFeeMode}`)
    }
    assert.isTrue(refused > 10 && refused < QUOTES / 2)
    assert.strictEqual(seen.size, WAYS)
  })
})
