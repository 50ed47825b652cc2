import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { completeConfig, LAUNCHPAD_PRESETS } from "../../chain/src/launch/ConfigPreset.ts"
import { configIssues } from "../../chain/src/launch/ConfigRules.ts"
import { baseProgress, marketCapInQuote, priceInQuote } from "../../chain/src/launch/CurveMath.ts"
import { curveRequest } from "../../chain/src/launch/CurveRequest.ts"
import { loadDbcSdk } from "../../chain/src/launch/DbcSdk.ts"
import { curveOf, type CurveTerms, marketCapAt, pointAt, priceAt, riseOf } from "../src/browser/launch/Curve.ts"
import { placesOf } from "../src/browser/launch/CurvePlaces.ts"
import { configOf, PRESET_IDS, PRESETS, termsOf } from "../src/browser/launch/CurvePresets.ts"
import { lamportsOf, solOf } from "../src/browser/launch/SolAmount.ts"

const standard = termsOf("standard")
const Raises = Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 }))
const Percent = Schema.Int.check(Schema.isBetween({ minimum: 5, maximum: 40 }))
const termsWith = (raises: number, poolPercent: number): CurveTerms => ({
  ...standard,
  raises: String(raises),
  poolPercent,
})

/** The SDK refuses some curves for what its rounding loses; the service answers what it says. */
class NotBuilt extends Error {
  readonly _tag = "NotBuilt"
}

/** What the service asks the chain to create for these terms, where an operator's preset has another curve, fees and vesting. */
const created = Effect.fnUntraced(function* (terms: CurveTerms) {
  const { config: preset } = LAUNCHPAD_PRESETS.launchpad_b
  const ofOperator = completeConfig(preset, {
    ...{ buildCurveMode: 1, buildCurveParam: { initialMarketCap: "7", migrationMarketCap: "70" } },
    ...{ totalTokenSupply: "5", leftover: "1", tokenBaseDecimal: 9, migrationFee: { feePercentage: 10 } },
    lockedVestingParam: { totalLockedVestingAmount: "1", numberOfVestingPeriod: 1, totalVestingDuration: 1 },
  })
  const { dbcConfig } = configOf(terms)
  const config = completeConfig(ofOperator, dbcConfig as Parameters<typeof completeConfig>[1])
  assert.deepStrictEqual(configIssues(config), [])
  const sdk = yield* Effect.promise(loadDbcSdk)
  const built = yield* Effect.try({
    try: () => sdk.buildCurve(curveRequest(config)),
    catch: (error) => new NotBuilt((error as Error).message),
  })
  return {
    threshold: BigInt(String(built.migrationQuoteThreshold)),
    sqrtStartPrice: BigInt(String(built.sqrtStartPrice)),
    curve: built.curve.map(({ liquidity, sqrtPrice }) => ({
      ...{ liquidity: BigInt(String(liquidity)), sqrtPrice: BigInt(String(sqrtPrice)) },
    })),
  }
})

/** Within one part of 10^15, as two ways of rounding are. */
const isAlmost = (a: bigint, b: bigint, what: string) => {
  const difference = a > b ? a - b : b - a
  assert.isTrue(difference <= 1n + b / 10n ** 15n, `${what}: ${a} is not ${b}`)
}

const agrees = Effect.fnUntraced(function* (terms: CurveTerms) {
  const drawn = curveOf(terms)
  const chain = yield* created(terms)
  assert.strictEqual(drawn.threshold, chain.threshold)
  isAlmost(drawn.sqrtStartPrice, chain.sqrtStartPrice, "start")
  isAlmost(drawn.sqrtMigrationPrice, chain.curve[0]!.sqrtPrice, "migration")
  isAlmost(drawn.liquidity, chain.curve[0]!.liquidity, "liquidity")
})

describe("The curve that is drawn", () => {
  for (const id of PRESET_IDS)
    it.effect(`of the ${id} preset is the one that is created`, () =>
      Effect.gen(function* () {
        const terms = termsOf(id)
        yield* agrees(terms)
        const [drawn, chain] = [curveOf(terms), yield* created(terms)]
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
      }),
    )

  it.effect.prop("is the one that is created, whatever it raises", [Raises, Percent], ([raises, poolPercent]) =>
    agrees(termsWith(raises, poolPercent)).pipe(
      Effect.catchTag("NotBuilt", ({ message }) => Effect.sync(() => assert.match(message, /^Not enough liquidity/))),
    ),
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
