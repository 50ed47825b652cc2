import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { completeConfig, LAUNCHPAD_PRESETS } from "../../chain/src/launches/ConfigPreset.ts"
import { configIssues } from "../../chain/src/launches/ConfigRules.ts"
import { baseProgress } from "../../chain/src/dbc/CurveProgress.ts"
import { marketCapInQuote, priceInQuote } from "../../chain/src/venues/Prices.ts"
import { configTerms } from "../../chain/src/launches/ConfigTerms.ts"
import { curveOf, type CurveTerms, marketCapAt, pointAt, priceAt, riseOf } from "../src/browser/launch/Curve.ts"
import { placesOf } from "../src/browser/launch/CurvePlaces.ts"
import { configOf, PRESET_IDS, PRESETS, termsOf } from "../src/browser/launch/CurvePresets.ts"
import { chosenTerms, curveKey, issuesOfFigures, OWN_FIGURES } from "../src/browser/launch/OwnCurve.ts"
import { lamportsOf, solOf } from "../src/browser/launch/SolAmount.ts"

const standard = termsOf("standard")
const Raises = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 }))
const Percent = Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 40 }))
const termsWith = (raises: number, poolPercent: number): CurveTerms => ({
  ...standard,
  raises: String(raises),
  poolPercent,
})

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

/** Within one part of 10^12, as two ways of rounding are. */
const isAlmost = (a: bigint, b: bigint, what: string) => {
  const difference = a > b ? a - b : b - a
  assert.isTrue(difference <= 1n + b / 10n ** 12n, `${what}: ${a} is not ${b}`)
}

const agrees = (terms: CurveTerms) => {
  const drawn = curveOf(terms)
  const chain = created(terms)
  assert.strictEqual(drawn.threshold, chain.threshold)
  isAlmost(drawn.sqrtStartPrice, chain.sqrtStartPrice, "start")
  isAlmost(drawn.sqrtMigrationPrice, chain.curve[0]!.sqrtPrice, "migration")
  isAlmost(drawn.liquidity, chain.curve[0]!.liquidity, "liquidity")
}

describe("The curve that is drawn", () => {
  for (const id of PRESET_IDS)
    it(`of the ${id} preset is the one that is created`, () => {
      const terms = termsOf(id)
      agrees(terms)
      const [drawn, chain] = [curveOf(terms), created(terms)]
      const [start, end] = [pointAt(drawn, 0n), pointAt(drawn, drawn.threshold)]
      const shown = (price: string) => Number(price).toPrecision(12)
      const onChain = chain.curve[0]!.sqrtPrice
      assert.strictEqual(shown(priceAt(drawn, start)), shown(priceInQuote(chain.sqrtStartPrice, 6, 9)))
      assert.strictEqual(shown(priceAt(drawn, end)), shown(priceInQuote(onChain, 6, 9)))
      assert.strictEqual(shown(marketCapAt(drawn, end)), shown(marketCapInQuote(onChain, drawn.supply, 9)))
      // Half of what is raised buys the part of the tokens that the chain's progress says.
      const half = pointAt(drawn, drawn.threshold / 2n)
      const account = { ...chain, migrationSqrtPrice: onChain } as unknown as Parameters<typeof baseProgress>[1]
      assert.closeTo(Number(half.sold) / Number(drawn.sold), baseProgress(half.sqrtPrice, account), 0.000_002)
    })

  it.prop("is the one that is created, whatever it raises", [Raises, Percent], ([raises, poolPercent]) =>
    agrees(termsWith(raises, poolPercent)),
  )

  it.prop("rises all the way, sells no more than is offered, and takes what it raises", [Raises, Percent], (terms) => {
    const curve = curveOf(termsWith(...terms))
    let before = pointAt(curve, 0n)
    assert.deepStrictEqual([before.raised, before.sold, before.sqrtPrice], [0n, 0n, curve.sqrtStartPrice])
    for (let step = 1n; step <= 20n; step++) {
      const point = pointAt(curve, (curve.threshold * step) / 20n)
      assert.isTrue(point.sqrtPrice > before.sqrtPrice && point.sold > before.sold)
      before = point
    }
    isAlmost(before.sqrtPrice, curve.sqrtMigrationPrice, "price at migration")
    assert.isTrue(before.sold <= curve.sold && curve.sold < curve.supply)
    const places = placesOf(curve)
    for (const [index, [x, y]] of places.entries()) {
      assert.isTrue(x >= 0 && x <= 360 && y >= 0 && y <= 190)
      if (index > 0) assert.isTrue(x >= places[index - 1]![0] && y <= places[index - 1]![1])
    }
  })

  it("rises as often as its words say", () => {
    const rises = PRESETS.map(({ id }) => riseOf(curveOf(termsOf(id))))
    assert.deepStrictEqual(rises, [16n, 16n, 9n])
  })
})

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
/** Tokens, the first market cap in thousandths of a SOL, how many hundredths of it the other one is, and the fee in basis points. */
const Figures = Schema.Tuple([
  between(1_000_000, 10 ** 12),
  between(1_000, 1_000_000),
  between(111, 100_000),
  between(25, 9_900),
])

const figuresOf = ([supply, start, rise, fee]: readonly [number, number, number, number]) => ({
  supply: String(supply),
  startMarketCap: String(start / 1_000),
  migrationMarketCap: (Math.floor((start * rise) / 100 + 1) / 1_000).toFixed(3),
  fee: (fee / 100).toFixed(2),
})

describe("A curve of own figures", () => {
  it.prop("is the one that is created, with the fee, whatever is entered", [Figures], ([entered]) => {
    const terms = chosenTerms({ curve: "own", own: figuresOf(entered) })!
    assert.deepStrictEqual(configOf(terms).dbcConfig.baseFeeParams?.feeSchedulerParam, {
      ...{ startingFeeBps: entered[3], endingFeeBps: entered[3], numberOfPeriod: 0, totalDuration: 0 },
    })
    return agrees(terms)
  })

  it.prop("begins and ends at the market caps that were entered, to a thousandth", [Figures], ([entered]) => {
    const own = figuresOf(entered)
    const curve = curveOf(chosenTerms({ curve: "own", own })!)
    const shown = (raised: bigint) => Number(marketCapAt(curve, pointAt(curve, raised)))
    const [start, end] = [Number(own.startMarketCap), Number(own.migrationMarketCap)]
    assert.closeTo(shown(0n) / start, 1, 0.001)
    assert.closeTo(shown(curve.threshold) / end, 1, 0.001)
  })

  it("is built as it is offered first", () => agrees(chosenTerms({ curve: "own", own: OWN_FIGURES })!))

  it("says beside its field what is wrong, and is none then", () => {
    const wrong: ReadonlyArray<readonly [keyof typeof OWN_FIGURES, ReadonlyArray<string>]> = [
      ["supply", ["", "0", "999999", "1.5", "1e9", "-1000", "1000000000001", "1".repeat(400)]],
      ["startMarketCap", ["", "0", "0.009", "x", "1.1234567", "1000001", "399"]],
      ["migrationMarketCap", ["", "25", "27.4", "250001", "1000001", "Infinity"]],
      ["fee", ["0", "0.24", "99.01", "-1", "1%", "1.234"]],
    ]
    for (const [field, texts] of wrong)
      for (const text of texts) {
        const own = { ...OWN_FIGURES, [field]: text }
        const issues = Object.keys(issuesOfFigures(own))
        assert.deepStrictEqual(issues, [text === "399" ? "migrationMarketCap" : field], `${field} ${text}`)
        assert.isUndefined(chosenTerms({ curve: "own", own }))
      }
    assert.deepStrictEqual(issuesOfFigures(OWN_FIGURES), {})
    assert.isUndefined(chosenTerms({ curve: "own", own: OWN_FIGURES })!.feeBps)
  })

  it("is told from another one by its figures, and a preset by its name", () => {
    const keys = [
      { curve: "small" as const, own: OWN_FIGURES },
      { curve: "own" as const, own: OWN_FIGURES },
      { curve: "own" as const, own: { ...OWN_FIGURES, fee: "1" } },
    ].map(curveKey)
    assert.lengthOf(new Set(keys), 3)
    assert.strictEqual(keys[0], "small")
  })
})

describe("Amounts of SOL", () => {
  it.prop(
    "are lamports exactly, and back",
    [Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 53 - 1 }))],
    ([lamports]) => {
      assert.strictEqual(lamportsOf(solOf(String(lamports)).replaceAll(",", "")), BigInt(lamports))
    },
  )
  it("are refused where they are none", () => {
    for (const text of ["", "-1", "1e9", "0x10", ".5", "1.", "1,5", "1.0000000001", "12345678901"])
      assert.isUndefined(lamportsOf(text), text)
    assert.strictEqual(lamportsOf(" 1.5 "), 1_500_000_000n)
  })
})
