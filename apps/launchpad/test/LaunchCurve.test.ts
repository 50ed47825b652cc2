import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { baseProgress } from "../../../packages/chain/src/dbc/CurveProgress.ts"
import { completeConfig, LAUNCHPAD_PRESETS } from "../../../packages/chain/src/launches/ConfigPreset.ts"
import { configIssues } from "../../../packages/chain/src/launches/ConfigRules.ts"
import { configTerms } from "../../../packages/chain/src/launches/ConfigTerms.ts"
import { marketCapInQuote } from "../../../packages/chain/src/venues/Prices.ts"
import { type Curve, curveOf, type CurveTerms, marketCapAt, pointAt, riseOf } from "../src/launch/Curve.ts"
import { placeOf } from "../src/launch/CurvePlaces.ts"
import { configOf, issuesOfFigures, PRESETS, STANDARD, termsOf } from "../src/launch/CurveFigures.ts"

/** What the service asks the chain to create for these terms, where an operator's preset has another curve, fees and vesting. */
const created = (terms: CurveTerms) => {
  const { config: preset } = LAUNCHPAD_PRESETS.launchpad_b
  const ofOperator = completeConfig(preset, {
    ...{ buildCurveMode: 1, buildCurveParam: { initialMarketCap: "7", migrationMarketCap: "70" } },
    ...{ totalTokenSupply: "5", leftover: "1", tokenBaseDecimal: 9, migrationFee: { feePercentage: 10 } },
    lockedVestingParam: { totalLockedVestingAmount: "1", numberOfVestingPeriod: 1, totalVestingDuration: 1 },
  })
  const { dbcConfig } = configOf(terms)
  const config = completeConfig(ofOperator, dbcConfig as Parameters<typeof completeConfig>[1])
  assert.deepStrictEqual(configIssues(config), [])
  const built = configTerms(config, 9)
  if ("issue" in built) throw new Error(built.issue.message)
  const { curve, migrationQuoteThreshold, sqrtStartPrice } = built.parameters
  return {
    threshold: BigInt(migrationQuoteThreshold),
    sqrtStartPrice: BigInt(sqrtStartPrice),
    curve: curve.map(({ liquidity, sqrtPrice }) => ({ liquidity: BigInt(liquidity), sqrtPrice: BigInt(sqrtPrice) })),
  }
}

/** A square root of a price as the program has it, Q64.64. */
const rootOf = (sqrtPrice: bigint) => Number(sqrtPrice) / 2 ** 64

/** Within one part of 10^11, as doubles and the program's integers are. */
const isAlmost = (a: number, b: number, what: string) =>
  assert.isTrue(Math.abs(a - b) <= b / 1e11, `${what}: ${a} is not ${b}`)

const agrees = (terms: CurveTerms) => {
  const drawn = curveOf(terms)
  const chain = created(terms)
  isAlmost(drawn.threshold, Number(chain.threshold), "threshold")
  isAlmost(drawn.start, rootOf(chain.sqrtStartPrice), "start")
  isAlmost(drawn.migration, rootOf(chain.curve[0]!.sqrtPrice), "migration")
  isAlmost(drawn.liquidity, Number(chain.curve[0]!.liquidity) / 2 ** 64, "liquidity")
}

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
/** Tokens, SOL in thousandths, percent in hundredths, and the fee in basis points. */
const Figures = Schema.Tuple([
  between(1_000_000, 10 ** 12),
  between(1_000, 100_000_000),
  between(500, 4_500),
  between(25, 9_900),
])
const figuresOf = ([supply, raises, pool, fee]: readonly [number, number, number, number]) => ({
  ...{ supply: String(supply), raises: (raises / 1_000).toFixed(3) },
  ...{ poolPercent: (pool / 100).toFixed(2), fee: (fee / 100).toFixed(2) },
})
const curves: ReadonlyArray<readonly [string, Curve]> = PRESETS.map(({ name, poolPercent, raises }) => [
  name,
  curveOf(termsOf({ ...STANDARD, poolPercent, raises })!),
])

describe("The curve that is drawn", () => {
  for (const [name, drawn] of curves)
    it(`of the preset ${name} is the one that is created`, () => {
      agrees(drawn.terms)
      const chain = created(drawn.terms)
      const onChain = chain.curve[0]!.sqrtPrice
      const shown = (amount: string) => Number(amount).toPrecision(10)
      const capOf = (sqrtPrice: bigint) => shown(marketCapInQuote(sqrtPrice, BigInt(drawn.supply), 9))
      assert.strictEqual(shown(marketCapAt(drawn, drawn.threshold)), capOf(onChain))
      assert.strictEqual(shown(marketCapAt(drawn, 0)), capOf(chain.sqrtStartPrice))
      // Half of what is raised buys the part of the tokens that the chain's progress says.
      const half = pointAt(drawn, drawn.threshold / 2)
      const account = { ...chain, migrationSqrtPrice: onChain } as unknown as Parameters<typeof baseProgress>[1]
      const sqrtPrice = BigInt(Math.round(half.root * 2 ** 64))
      assert.closeTo(half.sold / drawn.sold, baseProgress(sqrtPrice, account), 0.000_002)
    })

  it.prop("is the one that is created, with the fee, whatever is entered", [Figures], ([entered]) => {
    const figures = figuresOf(entered)
    assert.deepStrictEqual(issuesOfFigures(figures), {})
    const terms = termsOf(figures)!
    assert.deepStrictEqual(configOf(terms).dbcConfig.baseFeeParams?.feeSchedulerParam, {
      ...{ startingFeeBps: entered[3], endingFeeBps: entered[3], numberOfPeriod: 0, totalDuration: 0 },
    })
    return agrees(terms)
  })

  it.prop("rises all the way, and sells no more than there is", [Figures], ([entered]) => {
    const curve = curveOf(termsOf(figuresOf(entered))!)
    let before = pointAt(curve, 0)
    assert.deepStrictEqual(before, { sold: 0, root: curve.start })
    for (let step = 1; step <= 20; step++) {
      const raised = (curve.threshold * step) / 20
      const point = pointAt(curve, raised)
      assert.isTrue(point.root > before.root && point.sold > before.sold)
      const [x, y] = placeOf(curve, raised)
      assert.isTrue(x >= 0 && x <= 360 && y >= 0 && y <= 150, `${x} ${y}`)
      before = point
    }
    isAlmost(before.root, curve.migration, "price at migration")
    assert.isTrue(before.sold <= curve.sold && curve.sold < curve.supply)
  })

  it("rises as often as its words say", () => {
    assert.deepStrictEqual(
      curves.map(([, curve]) => riseOf(curve)),
      [16, 16, 9],
    )
  })
})

describe("Figures of a curve", () => {
  it("that are wrong are named, and make no curve", () => {
    const wrong: ReadonlyArray<readonly [keyof typeof STANDARD, ReadonlyArray<string>]> = [
      ["supply", ["", "0", "999999", "1.5", "1e9", "-1000", "1000000000001", "1".repeat(400)]],
      ["raises", ["", "0", "0.99", "x", "1.1234567", "100001", "Infinity"]],
      ["poolPercent", ["", "4.99", "45.01", "20%", "12.345"]],
      ["fee", ["0", "0.24", "99.01", "-1", "1%", "1.234"]],
    ]
    for (const [field, texts] of wrong)
      for (const text of texts) {
        const figures = { ...STANDARD, [field]: text }
        assert.deepStrictEqual(Object.keys(issuesOfFigures(figures)), [field], `${field} ${text}`)
        assert.isUndefined(termsOf(figures))
      }
    assert.deepStrictEqual(issuesOfFigures(STANDARD), {})
  })

  it("without a fee leave it to the launchpad", () => {
    assert.notProperty(configOf(termsOf(STANDARD)!).dbcConfig, "baseFeeParams")
  })
})
