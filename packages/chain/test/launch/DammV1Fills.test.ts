import { assert, describe, it } from "@effect/vitest"
import captured from "../fixtures/damm-v1-fills.json" with { type: "json" }
import { dammV1Fill, dammV1Reserves } from "../../src/dammV1/DammV1Math.ts"
import {
  DammV1Program,
  type DammV1ProgramFill,
  generatedDammV1Swap,
  type GeneratedSide,
  stateOf,
} from "./DammV1Program.ts"
import { seeded } from "./GeneratedConfigs.ts"
import { hasPrograms } from "./RealPrograms.ts"

const hasDammV1 = hasPrograms("amm", "vault")

const SWAPS = 600

/** Amounts of the file are texts. */
const withBigints = (value: unknown): unknown => {
  if (typeof value === "string") return BigInt(value)
  if (Array.isArray(value)) return value.map(withBigints)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, withBigints(part)]))
}
const FILLS = withBigints(captured) as ReadonlyArray<DammV1ProgramFill>

/** Asserts that the programs did with the swap what is computed for it; whether they filled. */
const agrees = (fill: DammV1ProgramFill, what: string): boolean => {
  const { a, amountIn, b, isBuy, isEnabled, result } = fill
  const state = stateOf(fill)
  const isOpen = isEnabled && (isBuy ? b : a).isEnabled
  const expected = isOpen ? dammV1Fill(state, isBuy, amountIn) : undefined
  if (result === undefined) {
    assert.isUndefined(expected, what)
    return false
  }
  assert.strictEqual(expected?.amountOut, result.amountOut, what)
  const left = dammV1Reserves(stateOf({ ...fill, a: result.a, b: result.b }))
  assert.deepStrictEqual(expected!.next, left, what)
  return true
}

const ratioOf = ({ lpSupply, totalAmount }: GeneratedSide) => totalAmount > lpSupply

describe("What the programs of DAMM v1 and its vaults fill is what is computed for it", () => {
  it("in captured swaps", () => {
    const filled = FILLS.filter((fill, index) => agrees(fill, `captured swap ${index}`))
    assert.isAbove(filled.length, FILLS.length / 4)
    assert.isBelow(filled.length, FILLS.length)
    assert.isTrue(filled.some(({ a, b }) => ratioOf(a) && ratioOf(b)))
    assert.isTrue(filled.some(({ isBuy }) => isBuy) && filled.some(({ isBuy }) => !isBuy))
  })

  it.skipIf(!hasDammV1)(
    `in swaps of generated pools${hasDammV1 ? "" : " (skipped: no amm.so and vault.so in programs/)"}`,
    () => {
      const [program, random] = [new DammV1Program(), seeded(11)]
      let filled = 0
      for (let round = 0; round < SWAPS; round++)
        if (agrees(program.swap(generatedDammV1Swap(random)), `round ${round}`)) filled++
      assert.isAbove(filled, SWAPS / 4)
    },
  )
})
